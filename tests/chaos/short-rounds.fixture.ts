/** A product under load for the tests of a file, and rounds of faults of a few seconds on it. */
import { afterAll, beforeAll, expect } from '@jest/globals'
import type { Fault } from './faults/fault.ts'
import { type LoadProcess, startLoad } from './load-process.ts'
import type { Target } from './load/protocol.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { createTargets } from './targets.ts'
import { type ProcessWatch, watchProcesses } from './watch.ts'
import { startWorld, type World, type WorldMode } from './world.ts'

const FORM: RoundForm = { name: 'quick', perSecond: 100, beforeMs: 2_000, afterMs: 2_000 }
const SEED = 20_261_121
export const ROUND_TIMEOUT_MS = 240_000

let load: LoadProcess
export let world: World
let targets: Target[]
let watch: ProcessWatch

export function useWorld(mode: WorldMode, { withProxies }: { withProxies: boolean }): void {
  beforeAll(async () => {
    load = await startLoad()
    world = await startWorld(mode, { sinkPort: load.port, withDisk: false, withProxies })
    targets = await createTargets(world)
    watch = watchProcesses(world)
  }, 180_000)

  afterAll(async () => {
    await watch?.stop()
    await world?.stop()
    await load?.stop()
  }, 60_000)
}

/** Has the faults happen under load, and demands that nothing is lost, out of order or stuck. */
export async function passRound(number: number, faults: readonly Fault[]): Promise<void> {
  const round = { number, faults, seed: SEED }
  const result = await runRound(round, { world, load, targets, watch, form: FORM })
  const { lost, outOfOrder, problems } = result
  expect({ lost, outOfOrder, problems }).toEqual({ lost: 0, outOfOrder: 0, problems: [] })
  expect(result.accepted).toBeGreaterThan(100)
}
