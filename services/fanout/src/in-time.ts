/**
 * Asks for many things at once and goes on after a while with those answers that have come: what
 * one tenant waits for delays no other.
 */
import { within } from '@posthorn/async/within'

/**
 * How long a batch waits for the configurations of its tenants: some may be very large, or change
 * all the time.
 */
const MAX_CONFIG_WAIT_MS = 20

export interface Answers<Value> {
  /** undefined: the result is not there yet. */
  results: readonly (PromiseSettledResult<Value> | undefined)[]
  /** Each promise resolves with its result when that is there, and never rejects. */
  pending: readonly Promise<PromiseSettledResult<Value>>[]
}

export async function inTime<Item, Value>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Value>,
): Promise<Answers<Value>> {
  const results: (PromiseSettledResult<Value> | undefined)[] = Array(items.length).fill(undefined)
  const pending = items.map(async (item, index) => {
    const [result] = await Promise.allSettled([ask(item)])
    results[index] = result
    return result
  })
  await within(MAX_CONFIG_WAIT_MS, Promise.all(pending))
  return { results: [...results], pending }
}
