/**
 * A short form of the chaos runs: four faults under load, and after each of them nothing is lost,
 * out of order or stuck. Bounds of time are checked by `npm run chaos`, which has the machine to
 * itself.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type LoadProcess, startLoad } from './load-process.ts'
import type { Target } from './load/protocol.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { FAULTS } from './schedule.ts'
import { createTargets } from './targets.ts'
import { type ProcessWatch, watchProcesses } from './watch.ts'
import { startWorld, type World } from './world.ts'

const DEATHS = ['kill-dispatcher', 'postgres-stopped', 'kafka-killed', 'redis-flushed']
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

test.each(DEATHS)(
  'nothing is lost, out of order or stuck: %s',
  async (name) => {
    const faults = FAULTS.filter((fault) => fault.name === name)
    const round = { number: DEATHS.indexOf(name) + 1, faults, seed: SEED }
    const result = await runRound(round, { world, load, targets, watch, form: FORM })
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, problems: [] })
    expect(result.accepted).toBeGreaterThan(100)
  },
  240_000,
)
