/**
 * X asks for an HMAC of a token of its choice, without proof of who asks, and signs its events with the same key and in
 * the same way. So that nobody can have a body signed by us: what the answer is given for is of an alphabet that no JSON
 * object can be written in, and a body of that alphabet is refused.
 */
import type { RequestView } from '../request-view.ts'

export const CRC_ALPHABET = /^[A-Za-z0-9+/=_-]{1,256}$/

export function twitterContent(reading: RequestView): Buffer[] {
  const { body } = reading.request
  return body.length === 0 || CRC_ALPHABET.test(body.toString('latin1')) ? [] : [body]
}
