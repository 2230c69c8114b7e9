/**
 * Short rounds of the chaos runs: four deaths under load, two at a time, and after each round
 * nothing is lost, out of order or stuck. In the long form each of them comes alone as well. Bounds
 * of time are for `npm run chaos`, which has the machine to itself.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { type LoadProcess, startLoad } from './load-process.ts'
import type { Target } from './load/protocol.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { FAULTS } from './schedule.ts'
import { createTargets } from './targets.ts'
import { type ProcessWatch, watchProcesses } from './watch.ts'
import { startWorld, type World } from './world.ts'

const PAIRS = [
  ['kill-dispatcher', 'redis-flushed'],
  ['postgres-stopped', 'kafka-killed'],
]
const ROUNDS = (isLongForm ? [...PAIRS.flat().map((name) => [name]), ...PAIRS] : PAIRS).map(
  (names, at) => ({ names, title: names.join(' and '), number: at + 1 }),
)
const FORM: RoundForm = { name: 'quick', perSecond: 100, beforeMs: 2_000, afterMs: 2_000 }
const SEED = 20_261_121

let load: LoadProcess
let world: World
let targets: Target[]
let watch: ProcessWatch

beforeAll(async () => {
  load = await startLoad()
  world = await startWorld('cluster', {
    sinkPort: load.port,
    withDisk: false,
    withProxies: true,
  })
  targets = await createTargets(world)
  watch = watchProcesses(world)
}, 180_000)

afterAll(async () => {
  await watch?.stop()
  await world?.stop()
  await load?.stop()
}, 60_000)

test.each(ROUNDS)(
  'nothing is lost, out of order or stuck: $title',
  async ({ names, number }) => {
    const faults = FAULTS.filter(({ name }) => names.includes(name))
    expect(faults).toHaveLength(names.length)
    const round = { number, faults, seed: SEED }
    const result = await runRound(round, { world, load, targets, watch, form: FORM })
    const { lost, outOfOrder, problems } = result
    expect({ lost, outOfOrder, problems }).toEqual({ lost: 0, outOfOrder: 0, problems: [] })
    expect(result.accepted).toBeGreaterThan(100)
  },
  240_000,
)
