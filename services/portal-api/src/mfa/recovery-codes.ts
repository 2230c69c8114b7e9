/**
 * Recovery codes: what a person keeps on paper for the day on which the phone is gone. Ten codes of
 * 50 bits each, written in an alphabet without look-alikes. Only hashes are stored. A hash covers
 * the person's id too, so that one guess can't be tried against everybody's codes at once.
 */
import { createHash, randomBytes } from 'node:crypto'

/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODES = 10
/** 10 characters of 5 bits each */
const CHARACTERS = 10

/** @returns codes as they are shown, such as `4v9k2-xq0p7` */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    // 256 is a multiple of 32, so no character is more likely than another.
    const text = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % 32]).join('')
    return `${text.slice(0, CHARACTERS / 2)}-${text.slice(CHARACTERS / 2)}`
  })
}

/** Case, hyphens, spaces and look-alikes don't matter, because codes are typed from paper. */
export function hashRecoveryCode(userId: string, code: string): Buffer {
  const text = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return createHash('sha256').update(`recovery code:${userId}:${text}`).digest()
}
