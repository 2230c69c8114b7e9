/** Payloads as the bytes that were sent: cut out of the body's text, never written anew. */
import { ApiError } from '@posthorn/contracts/errors'
import { elementStarts, memberSlice } from '@posthorn/domain/raw-json'

/** The payload of a body that has one. */
export function payloadOf(text: string, from: number, maxBytes: number, path: string): string {
  const slice = memberSlice(text, 'payload', from)
  if (slice === null) throw new Error('the body was parsed and has no payload')
  const payload = text.slice(slice.start, slice.end)
  // A UTF-16 unit takes at most 3 bytes: most payloads need not be counted.
  if (payload.length * 3 > maxBytes && Buffer.byteLength(payload) > maxBytes) {
    const details = [{ path, message: `must be at most ${maxBytes} bytes` }]
    throw new ApiError('PAYLOAD_TOO_LARGE', `${path} is larger than ${maxBytes} bytes`, { details })
  }
  return payload
}

/** Those of a batch, in order. */
export function payloadsOf(text: string, maxBytes: number): string[] {
  const events = memberSlice(text, 'events')
  const starts = events === null ? [] : elementStarts(text, events.start)
  return starts.map((start, n) => payloadOf(text, start, maxBytes, `events.${n}.payload`))
}
