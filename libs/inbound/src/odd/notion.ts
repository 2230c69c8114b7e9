/** Notion's first request brings the token that signs all later ones: it is kept. Whether that one is signed is not agreed on. */
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export function learnNotionToken(reading: RequestView): HandshakeAnswer | null {
  const secret = reading.values({ json: '$.verification_token' })[0]
  if (secret === undefined || !/^[\x21-\x7e]{1,256}$/.test(secret)) return null
  const answer = { status: 200, headers: {}, body: '' }
  // Whoever knows the URL could send another: it is not taken once there is one.
  return reading.configured('secret').length > 0 ? answer : { ...answer, learned: { secret } }
}
