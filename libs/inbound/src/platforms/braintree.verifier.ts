/**
 * Braintree sends a form of two fields: an event in base64, and signatures by public key. Its
 * handshake has us sign a text with the key that signs events, so only a text that can be no event
 * is signed.
 */
import { createHash, createHmac } from 'node:crypto'
import {
  type HandshakeAnswer,
  missing,
  rejected,
  step,
  type VerificationResult,
  verified,
} from '../verification-result.ts'
import type { RequestView } from '../request-view.ts'
import { decode, sameBytes, sameText } from '../secrets.ts'

const CHALLENGE = /^[a-f0-9]{20,32}$/
const MAX_PAIRS = 10

export function verifyBraintree(view: RequestView): VerificationResult {
  const signature = view.values({ form: 'bt_signature' })[0]
  const payload = view.values({ form: 'bt_payload' })[0]
  if (signature === undefined || payload === undefined) {
    return rejected('no_signature', missing('signature', 'form fields bt_signature and bt_payload'))
  }
  if (!/^[A-Za-z0-9+/=\n]+$/.test(payload) || CHALLENGE.test(payload.trim())) {
    return rejected('malformed_signature', step('bt_payload', 'base64', 'something else', false))
  }
  const publicKeys = view.configured('public_key')
  const given = signature
    .split('&', MAX_PAIRS)
    .map((pair) => pair.trim().split('|', 2))
    .filter(([publicKey = '']) => publicKeys.some((one) => sameText(publicKey, one)))
    .map(([, hex = '']) => decode(hex, 'hex'))
  if (given.length === 0) {
    const found = step('bt_signature', 'a pair with your public_key', 'none', false)
    return rejected('unknown_key', found)
  }
  const wanted = view
    .configured('private_key')
    .flatMap((key) => [signed(key, payload), signed(key, `${payload}\n`)])
  if (given.includes(null)) {
    return rejected('malformed_signature', step('bt_signature', 'hex', 'not so', false))
  }
  const ok = given.some((bytes) => wanted.some((one) => sameBytes(bytes as Buffer, one)))
  const compared = step('match', 'signature of bt_payload', ok ? 'the same' : 'another', ok)
  return ok ? verified(compared) : rejected('wrong_signature', compared)
}

export function answerBraintree(view: RequestView): HandshakeAnswer | null {
  const challenge = view.values({ query: 'bt_challenge' })[0]
  const publicKey = view.configured('public_key')[0]
  const privateKey = view.configured('private_key')[0]
  if (challenge === undefined || publicKey === undefined || privateKey === undefined) return null
  if (!CHALLENGE.test(challenge)) return null
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `${publicKey}|${signed(privateKey, challenge).toString('hex')}`,
  }
}

/** The kind and the time of the event, which is XML in base64 in a field of the form. */
export function unpackBraintree(document: unknown): unknown {
  const payload = (document as { bt_payload?: unknown } | null)?.bt_payload
  const xml = typeof payload === 'string' ? Buffer.from(payload, 'base64').toString('utf8') : ''
  return { notification: { kind: contentOf(xml, 'kind'), timestamp: contentOf(xml, 'timestamp') } }
}

const MAX_ELEMENT = 2_048

/**
 * The text of the first element of this name, if it contains no other element. Nothing behind it is
 * read.
 */
function contentOf(xml: string, name: string): string | undefined {
  const at = xml.indexOf(`<${name}`)
  const element = at === -1 ? '' : xml.slice(at, at + MAX_ELEMENT)
  return new RegExp(`^<${name}(?:\\s[^>]*)?>([^<]*)</`).exec(element)?.[1]
}

function signed(privateKey: string, text: string): Buffer {
  const key = createHash('sha1').update(privateKey).digest()
  return createHmac('sha1', key).update(text).digest()
}
