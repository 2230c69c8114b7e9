/** The corpus in its quick form: what a stranger or a tenant sends holds nobody else up. `npm run adversary` has all of it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Arena, openArena } from './arena.ts'
import { CORPUS } from './corpus.ts'
import { measureMachine, runAttacks } from './run-attacks.ts'
import type { Machine } from './verdict.ts'

const SEED = 20_261_122

let arena: Arena
let machine: Machine

beforeAll(async () => {
  arena = await openArena()
  machine = await measureMachine(arena)
}, 150_000)

afterAll(async () => await arena?.stop(), 60_000)

test.each(CORPUS.filter(({ isQuick }) => isQuick))(
  '$name',
  async (one) => {
    const options = { seed: SEED, repeats: 2, onResult: () => undefined }
    const results = await runAttacks(arena, machine, [one], options)
    expect(results.flatMap(({ findings }) => findings)).toEqual([])
  },
  180_000,
)
