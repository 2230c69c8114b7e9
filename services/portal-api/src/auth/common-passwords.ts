/**
 * Passwords that many people have: those of ten characters and more among the 49,233 that
 * `@zxcvbn-ts/language-common` lists (MIT, by its authors), in lower case. Only these are kept,
 * because a shorter one is refused anyway. A test compares the file with the package; with
 * `WRITE_COMMON_PASSWORDS` set it writes it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const COMMON_PASSWORDS_FILE = join(import.meta.dirname, 'common-passwords.txt')

const COMMON: ReadonlySet<string> = new Set(
  readFileSync(COMMON_PASSWORDS_FILE, 'utf8').trimEnd().split('\n'),
)

/** @param password in lower case */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password)
}
