/** Salesforce's first request brings two values that its user has to send back by another way: they are kept to be seen. */
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export function learnEnsVerification(reading: RequestView): HandshakeAnswer | null {
  const [callback_id, verification_key] = ['$.callbackId', '$.verificationKey'].map(
    (path) => reading.values({ json: path })[0] ?? '',
  ) as [string, string]
  // Once it is set up, nobody may change them.
  if (reading.configured('verification_key').length > 0) return null
  const isShort = [callback_id, verification_key].every((one) => /^[\x21-\x7e]{1,256}$/.test(one))
  if (!isShort) return null
  return { status: 200, headers: {}, body: '', learned: { callback_id, verification_key } }
}
