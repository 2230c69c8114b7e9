/**
 * What a delivery is signed with: the service's own scheme (`X-Service-Signature`) and the Standard
 * Webhooks headers, so that any library of that standard verifies our deliveries. Vectors:
 * https://github.com/standard-webhooks/standard-webhooks
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type HmacKey, hmacKey, hmacSha256 } from './hmac.ts'

const STANDARD_PREFIX = 'whsec_'

/** Endpoints refuse a signature that is older. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** A secret made by the service: `whsec_` and 24 random bytes in base64. */
export function newSigningSecret(): string {
  return STANDARD_PREFIX + randomBytes(24).toString('base64')
}

/**
 * The part of a secret that is shown after it was made: its last four characters, none of them cut
 * in half.
 */
export function secretHint(secret: string): string {
  return Array.from(secret.slice(-8)).slice(-4).join('')
}

/** A secret prepared for signing. */
export interface SigningKeys {
  readonly service: HmacKey
  /** null: the secret is not `whsec_` and base64. */
  readonly standard: HmacKey | null
}

export function signingKeys(secret: string): SigningKeys {
  return { service: serviceKey(secret), standard: standardKey(secret) }
}

/**
 * The secret's UTF-8 bytes, `whsec_` included, are the key.
 * @returns `v1=` and lowercase hex of HMAC-SHA256 over `<timestamp>.<body>`
 */
export function serviceSignature(
  secret: string | SigningKeys,
  timestamp: number,
  body: string,
): string {
  const key = typeof secret === 'string' ? serviceKey(secret) : secret.service
  return `v1=${hmacSha256(key, `${timestamp}.${body}`, 'hex')}`
}

/**
 * `v1,` and base64 over `<id>.<timestamp>.<body>`; null when the secret is not `whsec_` and base64.
 */
export function standardSignature(
  secret: string | SigningKeys,
  id: string,
  timestamp: number,
  body: string,
): string | null {
  const key = typeof secret === 'string' ? standardKey(secret) : secret.standard
  if (key === null) return null
  return `v1,${hmacSha256(key, `${id}.${timestamp}.${body}`, 'base64')}`
}

function serviceKey(secret: string): HmacKey {
  return hmacKey(Buffer.from(secret))
}

function standardKey(secret: string): HmacKey | null {
  if (!secret.startsWith(STANDARD_PREFIX)) return null
  const text = secret.slice(STANDARD_PREFIX.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  return hmacKey(Buffer.from(text, 'base64'))
}

/** Compares a received `v1=…` header with the expected one in constant time. */
export function verifyServiceSignature(
  header: string,
  secret: string,
  timestamp: number,
  body: string,
): boolean {
  const expected = Buffer.from(serviceSignature(secret, timestamp, body))
  const received = Buffer.from(header)
  return expected.length === received.length && timingSafeEqual(expected, received)
}
