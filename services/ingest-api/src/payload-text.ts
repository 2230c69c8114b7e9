/**
 * Payloads as the bytes that were sent: they are cut out of the body's text and never serialised
 * again.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { ApiError } from '@posthorn/contracts/errors'
import { memberSlice, memberSlices, type Slice } from '@posthorn/domain/raw-json'

/** The payload of a body that is known to have one. */
export function payloadOf(text: string, from: number, maxBytes: number, path: string): string {
  return checkedPayload(text, memberSlice(text, 'payload', from), maxBytes, path)
}

/** Those of a batch, in order, with turns of the event loop in between: it may be of megabytes. */
export async function payloadsOf(text: string, maxBytes: number): Promise<string[]> {
  const slices = await inTurns(memberSlices(text, 'events', 'payload'))
  return slices.map((slice, n) => checkedPayload(text, slice, maxBytes, `events.${n}.payload`))
}

function checkedPayload(text: string, slice: Slice | null, maxBytes: number, path: string): string {
  if (slice === null) throw new Error('the body was parsed and has no payload')
  const payload = text.slice(slice.start, slice.end)
  // A UTF-16 unit takes 1 to 3 bytes: most payloads need not be counted.
  if (payload.length * 3 <= maxBytes) return payload
  if (payload.length <= maxBytes && Buffer.byteLength(payload) <= maxBytes) return payload
  const details = [{ path, message: `must be at most ${maxBytes} bytes` }]
  throw new ApiError('PAYLOAD_TOO_LARGE', `${path} is larger than ${maxBytes} bytes`, { details })
}
