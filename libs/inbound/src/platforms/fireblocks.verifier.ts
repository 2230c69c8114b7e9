/** Fireblocks sends a JSON Web Signature without its payload, which is the body. */
import { verify } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { resultWithoutKey } from '../asymmetric.ts'
import { missing, rejected, step, verified } from '../verification-result.ts'
import type { CustomVerifier } from '../custom-verifier.ts'
import { findInKeySet } from '../public-keys.ts'
import { decode } from '../secrets.ts'

const HEADER = 'Fireblocks-Webhook-Signature'
const HOST: Record<string, string> = {
  us: 'keys.fireblocks.io',
  eu: 'eu-keys.fireblocks.io',
  eu2: 'eu2-keys.fireblocks.io',
  sandbox: 'sandbox-keys.fireblocks.io',
}

export const verifyFireblocks: CustomVerifier = async (view, tools) => {
  const text = view.header(HEADER)
  if (text === undefined) return rejected('no_signature', missing('signature', `header ${HEADER}`))
  const [head = '', between, signature = '', ...more] = text.trim().split('.')
  const named = headerOf(head)
  const given = decode(signature, 'base64url')
  if (named?.alg !== 'RS512' || between !== '' || given === null || more.length > 0) {
    const found = step('signature', 'a detached JWS of RS512', 'something else', false)
    return rejected('malformed_signature', found)
  }
  const host = HOST[view.configured('environment')[0] ?? 'us'] ?? HOST['us']
  const set = `https://${host}/.well-known/jwks.json`
  const found = await findInKeySet(set, named.kid, view, tools)
  if (found.outcome !== 'found') return resultWithoutKey(found)
  const content = Buffer.from(`${head}.${view.request.body.toString('base64url')}`)
  const ok = found.keys.some(
    (key) => key.asymmetricKeyType === 'rsa' && verify('sha512', content, key, given),
  )
  const compared = step('match', 'signature of the body', ok ? 'the same' : 'another', ok)
  return ok ? verified(compared) : rejected('wrong_signature', compared)
}

function headerOf(head: string): { alg?: string; kid?: string } | null {
  try {
    return decodeProtectedHeader({ protected: head }) as { alg?: string; kid?: string }
  } catch {
    return null
  }
}
