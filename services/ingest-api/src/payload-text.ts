/**
 * Payloads as the bytes that were sent: they are cut out of the body's text and never serialised
 * again.
 */
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@posthorn/contracts/errors'
import { elementStarts, memberSlice } from '@posthorn/domain/raw-json'

const MAX_SLICE_MS = 5

/** The payload of a body that is known to have one. */
export function payloadOf(text: string, from: number, maxBytes: number, path: string): string {
  const slice = memberSlice(text, 'payload', from)
  if (slice === null) throw new Error('the body was parsed and has no payload')
  const payload = text.slice(slice.start, slice.end)
  // A UTF-16 unit takes at most 3 bytes, so the bytes of most payloads need not be counted.
  if (payload.length * 3 > maxBytes && Buffer.byteLength(payload) > maxBytes) {
    const details = [{ path, message: `must be at most ${maxBytes} bytes` }]
    throw new ApiError('PAYLOAD_TOO_LARGE', `${path} is larger than ${maxBytes} bytes`, { details })
  }
  return payload
}

/**
 * The payloads of a batch, in order. It yields to the event loop in between, because a batch may
 * have megabytes.
 */
export async function payloadsOf(text: string, maxBytes: number): Promise<string[]> {
  const finding = elementStarts(text, 'events')
  let found = finding.next()
  for (let since = performance.now(); found.done !== true; found = finding.next()) {
    if (performance.now() - since < MAX_SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  const payloads: string[] = []
  let since = performance.now()
  for (const [n, start] of found.value.entries()) {
    payloads.push(payloadOf(text, start, maxBytes, `events.${n}.payload`))
    if (performance.now() - since < MAX_SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return payloads
}
