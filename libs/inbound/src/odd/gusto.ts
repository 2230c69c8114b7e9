/**
 * Gusto sends a token once, unsigned, while a subscription is made. It must be given back to Gusto by its owner, and signs
 * from then on: so it is kept where its owner can read it.
 */
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export function learnGustoToken(reading: RequestView): HandshakeAnswer | null {
  const token = reading.values({ json: '$.verification_token' })[0]
  const isKnown = ['secret', 'verification_token'].some((key) => reading.configured(key).length > 0)
  if (token === undefined || isKnown || !/^[\x21-\x7e]{1,256}$/.test(token)) return null
  return { status: 200, headers: {}, body: '', learned: { verification_token: token } }
}
