/**
 * Which passwords may be chosen. What is stored and compared is the normalised form: keyboards and
 * systems write the same letters differently.
 */
import { isCommonPassword } from './common-passwords.ts'

const MIN_CHARACTERS = 10
const MAX_CHARACTERS = 128

export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** What an attacker who knows the person would try first. */
export interface PasswordOwner {
  email: string
  /** The names of the person and of the workspaces. */
  names: readonly string[]
}

/** @returns why the password can't be chosen; null when it can */
export function passwordProblem(password: string, { email, names }: PasswordOwner): string | null {
  if (!password.isWellFormed()) return 'must be text'
  const normalized = normalizePassword(password)
  const length = Array.from(normalized).length
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`
  }
  const lower = normalized.toLowerCase()
  if (isCommonPassword(lower)) return 'is one that many people have; choose another'
  const [localPart = ''] = email.split('@')
  const known = [email, localPart, ...names].map(lettersOf)
  if (known.some((name) => name !== '' && name === lettersOf(lower))) {
    return 'must not be your e-mail address, your name or the name of your company'
  }
  return null
}

/** Letters and digits alone, so that spaces and dots do not make a name a secret. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
