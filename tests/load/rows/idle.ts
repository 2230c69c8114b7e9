/** Row 13: what it costs to do nothing. */
import { type Bench, type Measured, quickly, type Row } from '../bench.ts'
import { difference, memoryByClass, secondsByClass, sum } from '../processes.ts'

/** What a start leaves to be done is done by then. */
const SETTLE_MS = 8_000

async function measureIdle(bench: Bench): Promise<Measured> {
  const { product } = bench
  await pause(quickly(bench, SETTLE_MS, 500))
  const seconds = quickly(bench, 30, 2)
  const before = secondsByClass(product.known())
  await pause(seconds * 1_000)
  const used = difference(secondsByClass(product.known()), before)
  const percent = (value: number): number => (100 * value) / seconds
  const memory = memoryByClass(product.known())
  return {
    figures: { 'idle.cpu': percent(sum(used)) },
    costs: Object.fromEntries([
      ...Object.entries(used).map(([name, value]) => [`% of a core: ${name}`, percent(value)]),
      ...Object.entries(memory).map(([name, value]) => [`MiB: ${name}`, value]),
    ]) as Record<string, number>,
    faults: [],
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms))
}

export const idleRow: Row = { row: 13, name: 'idle', run: measureIdle }
