/**
 * HMAC-SHA256 (RFC 2104) of texts, with keys that are prepared once.
 *
 * Node's own `Hmac` takes 3.0 us for 1 KB with a key object, this 1.7 us. What is more, each `Hmac`
 * and each key object has a part outside of the heap, and a collection frees these one by one while
 * everything stands still: with the secrets of 20,000 endpoints in turn that was 10 ms of a
 * collection's 29.
 */
import { createHmac, createSecretKey, hash } from 'node:crypto'

/** The key's block with each byte changed as the inner and the outer hash want it, as Latin-1. */
export interface HmacKey {
  readonly inner: string
  readonly outer: string
}

const BLOCK = 64
const DIGEST = 32
const [INNER, OUTER] = [0x36, 0x5c]
/** Longer texts take longer than what there is to save. */
const MAX_CHARACTERS = 16 * 1024
const UTF8_PER_CHARACTER = 3

const innerBytes = Buffer.alloc(BLOCK + UTF8_PER_CHARACTER * MAX_CHARACTERS)
const outerBytes = Buffer.alloc(BLOCK + DIGEST)

export function hmacKey(key: Buffer): HmacKey {
  const block = Buffer.alloc(BLOCK)
  if (key.length > BLOCK) block.write(hash('sha256', key, 'hex'), 'hex')
  else key.copy(block)
  return { inner: spell(block, INNER), outer: spell(block, OUTER) }
}

function spell(block: Buffer, pad: number): string {
  return Buffer.from(block.map((byte) => byte ^ pad)).toString('latin1')
}

/** @param text as UTF-8 */
export function hmacSha256(key: HmacKey, text: string, encoding: 'hex' | 'base64'): string {
  if (text.length > MAX_CHARACTERS) return hmacOfLong(key, text, encoding)
  innerBytes.write(key.inner, 0, 'latin1')
  const length = innerBytes.write(text, BLOCK, 'utf8')
  outerBytes.write(key.outer, 0, 'latin1')
  outerBytes.write(
    hash('sha256', innerBytes.subarray(0, BLOCK + length), 'binary'),
    BLOCK,
    'binary',
  )
  return hash('sha256', outerBytes, encoding)
}

function hmacOfLong({ inner }: HmacKey, text: string, encoding: 'hex' | 'base64'): string {
  const block = Buffer.from(inner, 'latin1').map((byte) => byte ^ INNER)
  // A key object: with the bytes themselves Node takes four times as long.
  return createHmac('sha256', createSecretKey(block)).update(text).digest(encoding)
}
