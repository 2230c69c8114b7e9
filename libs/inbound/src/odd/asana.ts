/** Asana sends the secret itself, once, while the webhook is made: it is kept, and sent back. */
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export function learnAsanaSecret(reading: RequestView): HandshakeAnswer | null {
  const secret = reading.header('x-hook-secret')
  // Whoever knows the URL could send another: it is not taken once there is one.
  if (secret === undefined || reading.configured('secret').length > 0) return null
  if (!/^[\x21-\x7e]{1,256}$/.test(secret)) return null
  return { status: 200, headers: { 'X-Hook-Secret': secret }, body: '', learned: { secret } }
}
