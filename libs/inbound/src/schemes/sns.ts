/** Amazon SNS: a signature in the body over some of its fields, by a certificate at an address that the body names. */
import { isSigned } from '../asymmetric.ts'
import { verifySigned } from '../hmac.ts'
import { missing, rejected, step, unavailable } from '../judging.ts'
import type { CustomVerifier } from '../custom-verifier.ts'
import { readPublicKey } from '../public-keys.ts'
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer, VerificationResult } from '../verification-result.ts'

const HOST = /^sns\.[a-zA-Z0-9-]{3,}\.amazonaws\.com(\.cn)?$/
const CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
]
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const HASH: Record<string, string> = { '1': 'sha1', '2': 'sha256' }

/** @param toleranceSeconds from the time of publishing, which repeats keep; null: however old */
export function snsVerifier(toleranceSeconds: number | null): CustomVerifier {
  return async (reading, tools): Promise<VerificationResult> => {
    const topic = textOf(reading, 'TopicArn')
    const hash = HASH[textOf(reading, 'SignatureVersion') ?? '']
    if (textOf(reading, 'Signature') === undefined || topic === undefined) {
      return rejected('no_signature', missing('signature', '$.Signature in the body'))
    }
    if (hash === undefined) {
      return rejected('malformed_signature', missing('version', '$.SignatureVersion of 1 or 2'))
    }
    // Anybody can make a topic of their own, and Amazon signs for them too.
    if (!reading.configured('topic_arn').includes(topic)) {
      const found = step('topic', '$.TopicArn equal to topic_arn', 'another', false)
      return rejected('wrong_credentials', found)
    }
    const url = pinned(textOf(reading, 'SigningCertURL'))
    // With something behind it the same file would have as many addresses as one likes.
    if (url === null || !url.pathname.endsWith('.pem') || url.search !== '' || url.hash !== '') {
      return rejected('unknown_key', missing('certificate', '$.SigningCertURL at Amazon SNS'))
    }
    const pem = await tools.keys.text(url).catch(() => null)
    if (pem === null) return unavailable(step('certificate', url.href, 'not to be had', false))
    const key = readPublicKey(pem)
    if (key === null) return rejected('unknown_key', step('certificate', 'valid', 'not so', false))
    const content = Buffer.from(contentOf(reading))
    return await verifySigned(
      {
        signature: { at: { json: '$.Signature' } },
        encoding: 'base64',
        signed: 'the message’s fields',
        timestamp: { at: { json: '$.Timestamp' }, unit: 'iso8601', toleranceSeconds },
      },
      reading,
      async (signatures) =>
        await isSigned({ hash, contents: [content], keys: [key], signatures }, reading.yieldAfter),
    )
  }
}

/** Asked once the question is verified, its topic included. */
export function confirmSubscription(reading: RequestView): HandshakeAnswer | null {
  const confirm = pinned(textOf(reading, 'SubscribeURL'))
  return confirm === null ? null : { status: 200, headers: {}, body: '', confirm }
}

function contentOf(reading: RequestView): string {
  const keys = textOf(reading, 'Type') === 'Notification' ? NOTIFICATION : CONFIRMATION
  return keys
    .map((key) => [key, textOf(reading, key)])
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}\n${value}\n`)
    .join('')
}

function textOf(reading: RequestView, name: string): string | undefined {
  const body = reading.json()
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  const value = (body as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

function pinned(address: string | undefined): URL | null {
  const url = URL.parse(address ?? '')
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '')
    return null
  return HOST.test(url.hostname) ? url : null
}
