/**
 * Tokens that prove something by being known: sessions, links in mails, SCIM tokens. 32 random
 * bytes in base64url; only their SHA-256 is stored, because 256 random bits need no slow hash.
 */
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
/** 256 bits / 6, rounded up. */
const FORM = /^[A-Za-z0-9_-]{43}$/

/** @param prefix tells people and secret scanners what the token is, e.g. `ph_scim_` */
export function newSecretToken(prefix = ''): string {
  return prefix + randomBytes(BYTES).toString('base64url')
}

/** Whether the text may be a token without a prefix that was made here. */
export function hasSecretTokenForm(text: string): boolean {
  return FORM.test(text)
}

/** In hex. */
export function secretTokenDigest(token: string): string {
  return hash('sha256', token, 'hex')
}

export function hashSecretToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(secretTokenDigest(token), 'hex'))
}
