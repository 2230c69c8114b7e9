/** Signatures that anybody can check with the platform's public key. */
import { type KeyObject, verify } from 'node:crypto'
import { verifySigned } from './hmac.ts'
import { rejected, step, unavailable, type VerificationResult } from './verification-result.ts'
import type { VerifierTools } from './custom-verifier.ts'
import type { YieldAfter } from './yield-after.ts'
import type { AsymmetricRule, SignatureAlgorithm } from './verification-rules.ts'
import { findPublicKeys, type FoundKeys } from './public-keys.ts'
import type { RequestView } from './request-view.ts'
import { readSignatures } from './signature-text.ts'
import { contentsOf } from './signed-content.ts'

const HASH: Record<SignatureAlgorithm, string | null> = {
  ed25519: null,
  'rsa-sha1': 'sha1',
  'rsa-sha256': 'sha256',
  'rsa-sha512': 'sha512',
  'ecdsa-sha1': 'sha1',
  'ecdsa-sha256': 'sha256',
}
const KEY_TYPE: Record<SignatureAlgorithm, string> = {
  ed25519: 'ed25519',
  'rsa-sha1': 'rsa',
  'rsa-sha256': 'rsa',
  'rsa-sha512': 'rsa',
  'ecdsa-sha1': 'ec',
  'ecdsa-sha256': 'ec',
}
const NO_KEY = Buffer.alloc(0)

export async function verifyAsymmetric(
  rule: AsymmetricRule,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  // A key is not fetched for a request that has no signature.
  if (readSignatures(rule.signature, view) === null)
    return await verifySigned(rule, view, () => false)
  const found = await findPublicKeys(rule.key, view, tools)
  if (found.outcome !== 'found') return resultWithoutKey(found)
  const keys = found.keys.filter((key) => key.asymmetricKeyType === KEY_TYPE[rule.algorithm])
  return await verifySigned(rule, view, async (signatures, timestamp) => {
    const contents = await contentsOf(rule, { view, timestamp, key: NO_KEY })
    return await isSigned(
      { hash: HASH[rule.algorithm], contents, keys, signatures },
      view.yieldAfter,
    )
  })
}

/**
 * The content is hashed anew for each signature. Platforms send one, or two while they change keys.
 */
const MAX_SIGNATURES_TRIED = 5
/**
 * How much longer the arithmetic of a slow curve takes than the hash, in the bytes that
 * `YieldAfter` counts.
 */
const VERIFY_COST_BYTES = 1024 * 1024

export async function isSigned(
  given: {
    readonly hash: string | null
    readonly contents: readonly Buffer[]
    readonly keys: readonly KeyObject[]
    readonly signatures: readonly Buffer[]
  },
  yieldAfter: YieldAfter,
): Promise<boolean> {
  for (const signature of given.signatures.slice(0, MAX_SIGNATURES_TRIED)) {
    for (const content of given.contents) {
      for (const key of given.keys) {
        if (verify(given.hash, content, key, signature)) return true
        await yieldAfter(content.length + VERIFY_COST_BYTES)
      }
    }
  }
  return false
}

export function resultWithoutKey(
  found: Exclude<FoundKeys, { outcome: 'found' }>,
): VerificationResult {
  const looked = step('public key', 'the platform’s public key', found.why, false)
  if (found.outcome === 'unavailable') return unavailable(looked)
  return rejected(found.outcome === 'malformed' ? 'wrong_credentials' : 'unknown_key', looked)
}
