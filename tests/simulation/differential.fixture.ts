/**
 * Performs the same random operations on two stores and compares their answers and their rows
 * afterwards.
 */
import {
  both,
  type ComparedStore,
  createComparison,
  type TestTenant,
} from './comparison.fixture.ts'
import { operate } from './differential-operations.fixture.ts'
import type { SeededRandom } from './seeded-random.ts'

const STEPS = 40

/** @returns what differed; empty when both stores agree */
export async function compareStores(
  stores: readonly [ComparedStore, ComparedStore],
  tenant: TestTenant,
  random: SeededRandom,
): Promise<string[]> {
  const run = createComparison(stores, tenant, random)
  for (let step = 0; step < STEPS && run.different.length === 0; step += 1) await operate(run)
  await both(run, 'rows', (side) => side.rows())
  return run.different
}
