/**
 * The quick form of the attack corpus, and in the short form half of that: what a stranger or a
 * tenant sends delays nobody else. `npm run adversary` runs the whole corpus.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { type Arena, openArena } from './arena.ts'
import { CORPUS } from './corpus.ts'
import { measureMachine, runAttacks } from './run-attacks.ts'
import type { MachineSpeed } from './evaluate-dose.ts'

const SEED = 20_261_122
/**
 * Open weaknesses stalled the loop for seconds, which is far over the bound even beside other
 * tests. The long form holds the bound itself.
 */
const SLACK = 4

let arena: Arena
let machine: MachineSpeed

beforeAll(async () => {
  arena = await openArena()
  machine = await measureMachine(arena)
}, 150_000)

afterAll(async () => await arena?.stop(), 60_000)

test.each(CORPUS.filter(({ isQuick }) => isQuick).filter((_, at) => isLongForm || at % 2 === 0))(
  '$name',
  async (one) => {
    const options = { seed: SEED, repeats: 2, slack: SLACK, onResult: () => undefined }
    const results = await runAttacks(arena, machine, [one], options)
    expect(results.flatMap(({ findings }) => findings)).toEqual([])
  },
  180_000,
)
