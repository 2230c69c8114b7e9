/**
 * Makes undici accept any interim response. A server may send any number of 1xx responses before
 * the real one, asked for or not. undici skips all of them but `100 Continue`, at which it drops
 * the connection unless it asked for one, and it never asks. So a 100 is turned into a 102, which
 * means as little, before undici reads it. That is done in place: one byte changes, none is copied.
 *
 * It looks only at what precedes the final status line; after that a read costs one comparison.
 */

const STATUS_AT = 'HTTP/1.1 '.length
const ZERO = 0x30
const ONE = 0x31
const TWO = 0x32
const CR = 0x0d
const LF = 0x0a

export interface InterimResponses {
  /** A new request goes out on the connection. */
  begin(): void
  pass(chunk: Buffer): void
}

export function createInterimResponses(): InterimResponses {
  let final = false
  /** Bytes of the current status line seen so far, counted to the end of its status. */
  let seen = 0
  /** So far the status line reads `HTTP/x.y 10`. */
  let maybeContinue = false
  /** Line feeds since the last byte that is neither CR nor LF: two end the headers. */
  let lineFeeds = 0

  function statusByte(byte: number): number {
    const digit = seen++ - STATUS_AT
    if (digit === 0 && byte !== ONE) final = true
    if (digit === 1) maybeContinue = byte === ZERO
    if (digit !== 2) return byte
    lineFeeds = 0
    return maybeContinue && byte === ZERO ? TWO : byte
  }

  function headerByte(byte: number): void {
    if (byte === LF) lineFeeds++
    else if (byte !== CR) lineFeeds = 0
    if (lineFeeds === 2) seen = 0
  }

  return {
    begin() {
      final = false
      seen = 0
    },
    pass(chunk) {
      for (let at = 0; !final && at < chunk.length; at++) {
        const byte = chunk[at] ?? 0
        if (seen <= STATUS_AT + 2) chunk[at] = statusByte(byte)
        else headerByte(byte)
      }
    },
  }
}
