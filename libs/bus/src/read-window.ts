/**
 * Counts the messages of a topic that are in work: reading pauses when `maxInFlight` of them, or a
 * number of bytes, are not done and resumes at half, so that it does not flicker. A message whose
 * `done` is never called keeps its place for ever.
 */
export interface ReadWindow {
  /** How many messages may be handed over now; 0 while reading pauses. */
  capacity(): number
  take(count: number, bytes?: number): void
  release(count: number, bytes?: number): void
  /** Handed over and not done. */
  inFlight(): number
  /** The number of messages released since the beginning. */
  released(): number
}

/**
 * 1,000 deliveries of 480 bytes are 1.3 MB, so only large payloads reach it: 250 of the largest
 * that travel. One batch may come on top of it: 64 KiB of a Kafka partition, or what had been
 * queued inside the process.
 */
const MAX_BYTES = 8 * 1024 * 1024

export function createReadWindow(maxInFlight: number, onResume: () => void): ReadWindow {
  if (!(maxInFlight >= 1))
    throw new RangeError(`maxInFlight is ${maxInFlight}; it must be at least 1`)
  const resumeAt = Math.floor(maxInFlight / 2)
  let inFlight = 0
  let bytesInFlight = 0
  let paused = false
  let released = 0
  return {
    capacity: () => (paused ? 0 : maxInFlight - inFlight),
    take(count, bytes = 0) {
      inFlight += count
      bytesInFlight += bytes
      if (inFlight >= maxInFlight || bytesInFlight >= MAX_BYTES) paused = true
    },
    release(count, bytes = 0) {
      inFlight -= count
      bytesInFlight -= bytes
      released += count
      if (!paused || inFlight > resumeAt || bytesInFlight * 2 > MAX_BYTES) return
      paused = false
      onResume()
    },
    inFlight: () => inFlight,
    released: () => released,
  }
}
