/**
 * Lets the event loop turn between the pieces of one request's work. Hashing a megabyte takes 0.6
 * to 1.3 ms, and a request may have to be hashed with each of several secrets, in several ways.
 */
import { setImmediate } from 'node:timers/promises'

/** Called after a piece of work, with its size. */
export type YieldAfter = (bytes: number) => Promise<void>

/** SHA-512, one of the slower hashes, takes 5 ms for this. */
const BYTES_A_TURN = 4 * 1024 * 1024

export function createYieldAfter(): YieldAfter {
  let done = 0
  return async (bytes) => {
    done += bytes
    if (done < BYTES_A_TURN) return
    done = 0
    await setImmediate()
  }
}

/** Whatever is read in one go below it takes a millisecond. */
const LARGE_BYTES = 64 * 1024

/**
 * To be awaited between two readings of a whole body or text. Each takes 3 to 5 ms for a megabyte,
 * and 15 in a process that has just begun, whose code is not compiled yet.
 */
export async function betweenReadings({ length }: { readonly length: number }): Promise<void> {
  if (length > LARGE_BYTES) await setImmediate()
}
