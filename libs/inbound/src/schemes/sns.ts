/**
 * Amazon SNS: the body holds a signature over some of its fields, by a certificate whose address
 * the body names.
 */
import { isSigned } from '../asymmetric.ts'
import { verifySigned } from '../hmac.ts'
import {
  type HandshakeAnswer,
  missing,
  rejected,
  step,
  unavailable,
  type VerificationResult,
} from '../verification-result.ts'
import type { CustomVerifier } from '../custom-verifier.ts'
import { readPublicKey } from '../public-keys.ts'
import type { RequestView } from '../request-view.ts'

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

/**
 * @param toleranceSeconds the highest age since publishing, a time that repeats keep; null: any age
 */
export function snsVerifier(toleranceSeconds: number | null): CustomVerifier {
  return async (view, tools): Promise<VerificationResult> => {
    const topic = textOf(view, 'TopicArn')
    const hash = HASH[textOf(view, 'SignatureVersion') ?? '']
    if (textOf(view, 'Signature') === undefined || topic === undefined) {
      return rejected('no_signature', missing('signature', '$.Signature in the body'))
    }
    if (hash === undefined) {
      return rejected('malformed_signature', missing('version', '$.SignatureVersion of 1 or 2'))
    }
    // Anybody can make a topic, and Amazon signs its messages, too.
    if (!view.configured('topic_arn').includes(topic)) {
      const found = step('topic', '$.TopicArn equal to topic_arn', 'another', false)
      return rejected('wrong_credentials', found)
    }
    const url = pinned(textOf(view, 'SigningCertURL'))
    // With a query or a fragment the same file would have any number of addresses.
    if (url === null || !url.pathname.endsWith('.pem') || url.search !== '' || url.hash !== '') {
      return rejected('unknown_key', missing('certificate', '$.SigningCertURL at Amazon SNS'))
    }
    const pem = await tools.keys.text(url).catch(() => null)
    if (pem === null) return unavailable(step('certificate', url.href, 'not to be had', false))
    const key = readPublicKey(pem)
    if (key === null) return rejected('unknown_key', step('certificate', 'valid', 'not so', false))
    const content = Buffer.from(contentOf(view))
    return await verifySigned(
      {
        signature: { at: { json: '$.Signature' } },
        encoding: 'base64',
        signed: 'the message’s fields',
        timestamp: { at: { json: '$.Timestamp' }, unit: 'iso8601', toleranceSeconds },
      },
      view,
      async (signatures) =>
        await isSigned({ hash, contents: [content], keys: [key], signatures }, view.yieldAfter),
    )
  }
}

/** Called once the request is verified, its topic included. */
export function confirmSubscription(view: RequestView): HandshakeAnswer | null {
  const confirm = pinned(textOf(view, 'SubscribeURL'))
  return confirm === null ? null : { status: 200, headers: {}, body: '', confirm }
}

function contentOf(view: RequestView): string {
  const keys = textOf(view, 'Type') === 'Notification' ? NOTIFICATION : CONFIRMATION
  return keys
    .map((key) => [key, textOf(view, key)])
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}\n${value}\n`)
    .join('')
}

function textOf(view: RequestView, name: string): string | undefined {
  const body = view.json()
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
