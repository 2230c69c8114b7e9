/**
 * Time as this process's event loop lives it, for bounds that a busy machine must not break.
 *
 * A chain of short timers counts on; of a turn that came late only the beginning counts. So what
 * the machine withholds from this process, or another part of it takes, is left out, while a wait
 * for a timer or for nothing counts in full.
 */

/**
 * A timer fires within a millisecond or two of its time on a machine that has nothing else to do.
 */
const EVERY_MS = 5
const COUNTED_MS = 8

/** @returns answers the milliseconds since it was made, and stops counting */
export function startLoopTime(): () => number {
  let counted = 0
  let last = performance.now()
  function count(): void {
    const now = performance.now()
    counted += Math.min(now - last, COUNTED_MS)
    last = now
  }
  const timer = setInterval(count, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    count()
    return counted
  }
}
