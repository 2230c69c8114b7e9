/**
 * Public keys as platforms hand them out: entered by the user, built in, or published at an address
 * of the platform.
 */
import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isQuick } from '@posthorn/domain/is-quick'
import type { VerifierTools } from './custom-verifier.ts'
import type { PublicKeyAt } from './verification-rules.ts'
import { type RequestView, textsAt } from './request-view.ts'

export type FoundKeys =
  | { readonly outcome: 'found'; readonly keys: readonly KeyObject[] }
  | { readonly outcome: 'unknown_key' | 'unavailable' | 'malformed'; readonly why: string }

/** SubjectPublicKeyInfo of an Ed25519 key, up to its 32 bytes (RFC 8410). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

export async function findPublicKeys(
  at: PublicKeyAt,
  view: RequestView,
  tools: VerifierTools,
): Promise<FoundKeys> {
  if ('config' in at) {
    const configured = view.configured(at.config)
    const isUnset = configured.length === 0 && at.or !== undefined
    return isUnset ? await findPublicKeys(at.or, view, tools) : readAll(configured)
  }
  if ('pem' in at) return readAll([at.pem])
  if ('pemBy' in at) {
    const pem = at.pems[view.configured(at.pemBy)[0] ?? ''] ?? Object.values(at.pems)[0]
    return readAll(pem === undefined ? [] : [pem])
  }
  if ('jwks' in at) {
    const kid = at.kid === undefined ? undefined : view.values(at.kid)[0]
    return await findInKeySet(at.jwks, kid, view, tools)
  }
  if ('publishedAt' in at) {
    return await orUnavailable(async () => {
      const published: unknown = JSON.parse(await tools.keys.text(new URL(at.publishedAt)))
      return readAll(textsAt(at.path, published))
    })
  }
  const named = view.values(at.urlAt)[0]
  const url = named === undefined ? null : pinnedUrl(named, at)
  if (url === null)
    return { outcome: 'unknown_key', why: 'no address of a key, or not the platform’s' }
  return await orUnavailable(async () => readAll([await tools.keys.text(url)]))
}

/**
 * Finds a key of a JSON Web Key Set; the set is fetched again when its cached copy lacks the key.
 */
export async function findInKeySet(
  address: string,
  kid: string | undefined,
  view: RequestView,
  tools: VerifierTools,
): Promise<FoundKeys> {
  const url = URL.parse(withConfigured(address, view))
  if (url === null) return { outcome: 'malformed', why: 'the key set’s address is none' }
  if (kid === undefined) return { outcome: 'unknown_key', why: 'no key id' }
  return await orUnavailable(async () => {
    const kept = await tools.keys.text(url)
    let key = keyIn(kept, kid)
    if (key === null) {
      const fresh = await tools.keys.fresh(url)
      key = fresh === kept ? null : keyIn(fresh, kid)
    }
    if (key === null) return { outcome: 'unknown_key', why: 'not among the published keys' }
    return { outcome: 'found', keys: [key] }
  })
}

/**
 * Fills in what the user has configured. It is one segment of the path, unless it is the whole
 * address.
 */
export function withConfigured(template: string, view: RequestView): string {
  return template.replace(/\{config:(\w+)\}/g, (word, name) => {
    const value = view.configured(name)[0] ?? ''
    return word === template ? value : encodeURIComponent(value)
  })
}

function keyIn(text: string, kid: string): KeyObject | null {
  // Some key sets stand at an address that the user has chosen.
  if (!isQuick(text)) throw new Error('the key set is too large')
  const set = JSON.parse(text) as { keys?: (JsonWebKey & { kid?: string })[] }
  const jwk = set.keys?.find((one) => one.kid === kid)
  return jwk === undefined ? null : createPublicKey({ key: jwk, format: 'jwk' })
}

async function orUnavailable(find: () => Promise<FoundKeys>): Promise<FoundKeys> {
  try {
    return await find()
  } catch (error) {
    return { outcome: 'unavailable', why: error instanceof Error ? error.message : String(error) }
  }
}

export function pinnedUrl(named: string, at: Extract<PublicKeyAt, { urlAt: unknown }>): URL | null {
  if (at.base === undefined && !/^https:\/\//i.test(named)) return null
  const url = URL.parse(named, at.base)
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '')
    return null
  // With a query or a fragment the same file would have any number of addresses.
  if (url.search !== '' || url.hash !== '') return null
  return at.hosts.test(url.hostname) && at.path.test(url.pathname) ? url : null
}

function readAll(texts: readonly string[]): FoundKeys {
  const keys = texts.map(readPublicKey)
  const found = keys.filter((key) => key !== null)
  if (found.length > 0) return { outcome: 'found', keys: found }
  const why = texts.length === 0 ? 'no public key is configured' : 'the public key can’t be read'
  return { outcome: 'malformed', why }
}

/**
 * @returns null for a text that is no public key in any of the forms in which platforms show them
 */
export function readPublicKey(text: string): KeyObject | null {
  // Standard Webhooks writes a prefix before the key.
  const trimmed = text.trim().replace(/^whpk_/, '')
  try {
    if (trimmed.includes('-----BEGIN CERTIFICATE-----')) return currentKey(trimmed)
    if (trimmed.includes('-----BEGIN')) return createPublicKey(unfolded(trimmed))
    if (/^[0-9a-f]{64}$/i.test(trimmed)) return ed25519(Buffer.from(trimmed, 'hex'))
    const bytes = Buffer.from(trimmed, 'base64')
    if (bytes.length === 32) return ed25519(bytes)
    const inner = bytes.toString('utf8')
    if (inner.includes('-----BEGIN')) return readPublicKey(inner)
    return createPublicKey({ key: bytes, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/** The key of a certificate, if the certificate is valid today. */
function currentKey(pem: string): KeyObject | null {
  const certificate = new X509Certificate(pem)
  const now = Date.now()
  const valid = now >= Date.parse(certificate.validFrom) && now <= Date.parse(certificate.validTo)
  return valid ? certificate.publicKey : null
}

function ed25519(bytes: Buffer): KeyObject {
  const key = Buffer.concat([ED25519_SPKI, bytes])
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

/** A PEM with line ends, from one that was pasted or sent in a single line. */
function unfolded(pem: string): string {
  const parts = /-----BEGIN ([A-Z ]+)-----([\s\S]+?)-----END \1-----/.exec(
    pem.replaceAll('\\n', '\n'),
  )
  if (parts === null) return pem
  const [, label, base64 = ''] = parts
  return `-----BEGIN ${label}-----\n${base64.replace(/\s+/g, '\n').trim()}\n-----END ${label}-----\n`
}
