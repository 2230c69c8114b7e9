/**
 * Waits for what becomes true, instead of sleeping for as long as it might take.
 *
 * It cannot show that something never happens: for that, wait for a later fact and check then.
 */
import { setTimeout as pause } from 'node:timers/promises'

export interface EventuallyOptions {
  timeoutMs?: number
  everyMs?: number
}

/** Several times what anything takes on a machine that is neither slow nor busy. */
const DEFAULT_TIMEOUT_MS = 90_000

/**
 * Calls `check` until it neither throws nor answers false. After `timeoutMs` the last error is
 * thrown as it was.
 * @returns the answer of `check`
 */
export async function eventually<Value>(
  check: () => Value | Promise<Value>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, everyMs = 25 }: EventuallyOptions = {},
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let failure: unknown
    try {
      const value = await check()
      if (value !== false) return value
      failure = new Error(`still false after ${timeoutMs} ms: ${check.toString().slice(0, 200)}`)
    } catch (error) {
      failure = error
    }
    if (performance.now() >= deadline) throw failure
    await pause(everyMs)
  }
}
