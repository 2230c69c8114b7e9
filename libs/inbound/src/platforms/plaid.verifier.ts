/**
 * Plaid signs with keys that it shows to its customers only, one by one: with the client's own
 * credentials we ask for the key that the token names. A key that Plaid has withdrawn is refused.
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { rejected, step, unavailable, type VerificationResult } from '../verification-result.ts'
import { verifyJwt } from '../jwt.ts'
import type { VerifierTools } from '../custom-verifier.ts'
import type { JwtRule } from '../verification-rules.ts'
import type { RequestView } from '../request-view.ts'

/** The hosts of Plaid's that a configured environment may name. */
const HOSTS: Readonly<Record<string, string>> = {
  sandbox: 'sandbox.plaid.com',
  production: 'production.plaid.com',
}
const RULE: Omit<JwtRule, 'key'> = {
  kind: 'jwt',
  at: { header: 'Plaid-Verification' },
  algorithms: ['ES256'],
  claims: [
    {
      claim: 'request_body_sha256',
      is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' },
    },
  ],
  maxAgeSeconds: 300,
}

export async function verifyPlaid(
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const kid = keyIdOf(view.header('Plaid-Verification'))
  // Without a key id it is no token of Plaid's, which the rule finds without a key.
  if (kid === null) return await verifyJwt({ ...RULE, key: { pem: '' } }, view, tools)
  const found = await keyOf(kid, view, tools)
  return 'pem' in found
    ? await verifyJwt({ ...RULE, key: { pem: found.pem } }, view, tools)
    : found.result
}

function keyIdOf(token: string | undefined): string | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token ?? '')
    return alg === 'ES256' && /^[\w-]{1,100}$/.test(kid ?? '') ? (kid ?? null) : null
  } catch {
    return null
  }
}

async function keyOf(
  kid: string,
  view: RequestView,
  tools: VerifierTools,
): Promise<{ pem: string } | { result: VerificationResult }> {
  const [client_id, secret, environment] = ['client_id', 'secret', 'environment'].map(
    (name) => view.configured(name)[0],
  )
  const host = HOSTS[environment ?? 'production'] ?? HOSTS['production']
  const asking = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, secret, key_id: kid }),
  }
  try {
    const url = new URL(`https://${host}/webhook_verification_key/get`)
    const { key } = JSON.parse(await tools.keys.text(url, asking)) as {
      key: JsonWebKey & { expired_at?: number | null }
    }
    if (key.expired_at) return unknown('a key that Plaid has withdrawn')
    const { kty, crv, x, y } = key
    const parsed = createPublicKey({
      key: { kty, crv, x, y } as JsonWebKey,
      format: 'jwk',
    })
    return { pem: parsed.export({ type: 'spki', format: 'pem' }).toString() }
  } catch (error) {
    const { status } = error as { status?: number }
    // Plaid answers so for an id that it never issued, and for wrong credentials.
    if (status === 400 || status === 404) return unknown('Plaid refuses to show such a key')
    const why = error instanceof Error ? error.message : String(error)
    return { result: unavailable(step('public key', 'Plaid’s public key', why, false)) }
  }
}

function unknown(why: string): { result: VerificationResult } {
  return { result: rejected('unknown_key', step('public key', 'Plaid’s public key', why, false)) }
}
