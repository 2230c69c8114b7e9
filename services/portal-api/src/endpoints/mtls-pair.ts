/**
 * Checks whether a client certificate and its key can be presented: both parse, belong together and
 * are in force now. Whether the certificate is trusted is up to the endpoint. What is stored is
 * written anew from what was parsed, so that nothing else in the text (such as a key beside the
 * certificate) is stored or shown.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

export interface MtlsPair {
  /** PEM: the client's certificate, followed by those that lead to its authority. */
  cert: string
  /** PEM, in PKCS #8. */
  key: string
}

export type MtlsCheck =
  | { outcome: 'ok'; pair: MtlsPair }
  | { outcome: 'invalid'; part: 'cert' | 'key'; reason: string }

/** A chain has a leaf, its authority and those above it; more than three are rare. */
const MAX_CHAIN = 10
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** @param now in ms since 1970 */
export function checkMtlsPair(certPem: string, keyPem: string, now: number): MtlsCheck {
  const chain = parseChain(certPem)
  if (typeof chain === 'string') return invalid('cert', chain)
  const [leaf] = chain
  const problem = validityProblem(leaf, now)
  if (problem !== null) return invalid('cert', problem)
  const key = parseKey(keyPem)
  if (typeof key === 'string') return invalid('key', key)
  if (!leaf.checkPrivateKey(key)) return invalid('key', 'is not the key of the certificate')
  const pair = {
    cert: chain.map((certificate) => certificate.toString()).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const unusable = whyUnusable(pair)
  return unusable === null ? { outcome: 'ok', pair } : invalid('cert', unusable)
}

function invalid(part: 'cert' | 'key', reason: string): MtlsCheck {
  return { outcome: 'invalid', part, reason }
}

function parseChain(pem: string): [X509Certificate, ...X509Certificate[]] | string {
  if (pem.includes('PRIVATE KEY-----')) return 'must contain certificates only, and no private key'
  const blocks = pem.match(CERTIFICATE) ?? []
  if (blocks.length > MAX_CHAIN) return `must contain at most ${MAX_CHAIN} certificates`
  try {
    const [leaf, ...rest] = blocks.map((block) => new X509Certificate(block))
    return leaf === undefined ? 'must be a certificate in PEM' : [leaf, ...rest]
  } catch {
    return 'is not a certificate that can be read'
  }
}

function validityProblem(
  { validFromDate, validToDate }: X509Certificate,
  now: number,
): string | null {
  if (validToDate.getTime() <= now) return `has expired: ${validToDate.toISOString()}`
  if (validFromDate.getTime() > now) return `is not valid before ${validFromDate.toISOString()}`
  return null
}

function parseKey(pem: string): KeyObject | string {
  try {
    return createPrivateKey(pem)
  } catch {
    // OpenSSL's own message is left out: it calls a key with a passphrase "interrupted or
    // cancelled".
    return 'must be a private key in PEM that can be read, without a passphrase'
  }
}

/**
 * OpenSSL refuses keys and signatures that are too weak only when it connects, so it is asked here.
 */
function whyUnusable(pair: MtlsPair): string | null {
  try {
    createSecureContext(pair)
    return null
  } catch (error) {
    return `can't be presented: ${(error as { reason?: string }).reason ?? 'OpenSSL refuses it'}`
  }
}
