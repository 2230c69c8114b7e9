/**
 * How much of a topic is in work: reading pauses when `maxInFlight` messages are not done and resumes at half, so that
 * it does not flicker. A message whose `done` is never called keeps its place for ever.
 */
export interface ReadWindow {
  /** How many messages may be handed over now; 0 while reading pauses. */
  room(): number
  take(count: number): void
  release(count: number): void
  /** Handed over and not done. */
  inFlight(): number
  /** Of all times. */
  released(): number
}

export function createReadWindow(maxInFlight: number, onResume: () => void): ReadWindow {
  if (!(maxInFlight >= 1))
    throw new RangeError(`maxInFlight is ${maxInFlight}; it must be at least 1`)
  const resumeAt = Math.floor(maxInFlight / 2)
  let inFlight = 0
  let paused = false
  let released = 0
  return {
    room: () => (paused ? 0 : maxInFlight - inFlight),
    take(count) {
      inFlight += count
      if (inFlight >= maxInFlight) paused = true
    },
    release(count) {
      inFlight -= count
      released += count
      if (!paused || inFlight > resumeAt) return
      paused = false
      onResume()
    },
    inFlight: () => inFlight,
    released: () => released,
  }
}
