/** Secrets as key bytes, and comparisons that take the same time wherever the difference is. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Encoding, KeyAt } from './verification-rules.ts'
import type { RequestView } from './request-view.ts'

/** Made anew in each process. Texts of any length are compared by their hashes under this key. */
const BLIND = randomBytes(32)

export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(blinded(a), blinded(b))
}

function blinded(text: string): Buffer {
  return createHmac('sha256', BLIND).update(text).digest()
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * @returns null for a text that is not in this encoding: no character is skipped, as Buffer.from
 * would
 */
export function decode(text: string, encoding: Encoding): Buffer | null {
  if (encoding === 'hex') {
    const isHex = text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text)
    return isHex ? Buffer.from(text, 'hex') : null
  }
  const alphabet = encoding === 'base64' ? /^[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9_-]+={0,2}$/
  return alphabet.test(text) ? Buffer.from(text, encoding) : null
}

/** The bytes of each secret that is configured under a key's name. */
export function secretBytes(at: KeyAt, view: RequestView): Buffer[] {
  const prefix = (at.prefix ?? '').replace(
    /\{config:(\w+)\}/g,
    (_, name) => view.configured(name)[0] ?? '',
  )
  return view.configured(at.config).map((secret) => bytesOf(prefix + secret, at.as ?? 'utf8'))
}

function bytesOf(secret: string, as: NonNullable<KeyAt['as']>): Buffer {
  switch (as) {
    case 'utf8':
      return Buffer.from(secret)
    case 'utf8-nfkd':
      return Buffer.from(secret.normalize('NFKD'))
    case 'hex':
      return Buffer.from(secret.trim(), 'hex')
    case 'base64':
      return Buffer.from(secret.trim(), 'base64')
    case 'whsec':
      return Buffer.from(secret.trim().replace(/^(v1,)?(whsec_)?/, ''), 'base64')
  }
}
