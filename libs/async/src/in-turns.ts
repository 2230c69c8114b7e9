/**
 * Runs work that is divided into steps, with a turn of the event loop between them, so that whoever
 * else has something to do there waits for one step at most.
 */
import { setImmediate } from 'node:timers/promises'

/** @param work yields where it may be interrupted, and returns its result */
export async function inTurns<Result>(
  work: Generator<undefined, Result, undefined>,
): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
