/**
 * How many bytes of bodies a server holds at once, over all of its connections: each from its reading to the end of its
 * handler. Beyond that a request is refused with 503, before its body takes memory.
 */
import { unavailable } from './errors.ts'

/** Of one request. */
export interface BodyRoom {
  /** Throws UNAVAILABLE where so much more does not fit, and takes nothing then. */
  expect(bytes: number): void
  take(bytes: number): void
  giveBack(): void
}

/**
 * Of a server, unless it is told otherwise. Held as text, parsed and within a statement a body takes some 5 times its
 * bytes: 320 MB. 256 of the largest events, or 8 of the largest batches.
 */
export const MAX_BODY_BYTES_HELD = 64 * 1024 * 1024

export function createBodyRooms(maxBytes: number): () => BodyRoom {
  let held = 0
  return () => {
    let own = 0
    function expect(bytes: number): void {
      if (held + bytes > maxBytes) throw unavailable('too many bodies are being read; try again')
    }
    return {
      expect,
      take(bytes) {
        expect(bytes)
        own += bytes
        held += bytes
      },
      giveBack() {
        held -= own
        own = 0
      },
    }
  }
}
