/** Row 13: what it costs to do nothing. */
import { type Bench, type RowMeasurement, byForm, type LoadRow } from '../bench.ts'
import { difference, memoryByClass, secondsByClass, sum } from '../processes.ts'

/** The work that a start leaves behind is done by then. */
const SETTLE_MS = 8_000

async function measureIdle(bench: Bench): Promise<RowMeasurement> {
  const { product } = bench
  await pause(SETTLE_MS)
  const seconds = byForm(bench, 30, 4)
  const before = secondsByClass(product.processes())
  await pause(seconds * 1_000)
  const used = difference(secondsByClass(product.processes()), before)
  const percent = (value: number): number => (100 * value) / seconds
  const memory = memoryByClass(product.processes())
  return {
    figures: { 'idle.cpu': percent(sum(used)) },
    costs: Object.fromEntries([
      ...Object.entries(used).map(([name, value]) => [`% of a core: ${name}`, percent(value)]),
      ...Object.entries(memory).map(([name, value]) => [`MiB: ${name}`, value]),
    ]) as Record<string, number>,
    failures: [],
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms))
}

export const idleRow: LoadRow = { row: 13, name: 'idle', run: measureIdle }
