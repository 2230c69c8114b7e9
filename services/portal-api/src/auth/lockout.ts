/**
 * Locks an e-mail address for password logins after too many guesses, of passwords or codes,
 * whether or not anybody has the address. Sessions and logins by single sign-on go on. A guess is
 * counted before it is checked: ten guesses at once are ten, and the right password is refused
 * while the address is locked.
 */
import { hash } from 'node:crypto'
import { ApiError } from '@posthorn/contracts/errors'
import type { StateStore } from '@posthorn/state/state-store'

const MINUTE_MS = 60_000
/** Guesses at one address. */
const ADDRESS = { max: 10, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }
/**
 * Wrong guesses from one machine, at whatever addresses. Behind one of these may be a whole office:
 * over the limit it has one guess a minute until a quarter of an hour was quieter.
 */
const MACHINE = { max: 500, windowMs: 15 * MINUTE_MS, lockMs: MINUTE_MS }

export interface Lockout {
  /**
   * Counts a guess at the address. Throws RATE_LIMITED while it is locked.
   * @returns whether this was the last guess before the lock
   */
  guess(email: string, clientIp: string): Promise<{ isLast: boolean }>
  /** The guess was right and ended a login: the address has all its guesses again. */
  succeed(email: string, clientIp: string): Promise<void>
  /** The guess was not checked after all. */
  withdraw(email: string, clientIp: string): Promise<void>
  /** A password reset proves more than a password. */
  unlock(email: string): Promise<void>
}

export function createLockout(state: Pick<StateStore, 'countGuess' | 'forgetGuesses'>): Lockout {
  return {
    async guess(email, clientIp) {
      const machine = await state.countGuess(machineKey(clientIp), MACHINE)
      if (!machine.allowed) throw locked(machine.retryAfterMs)
      const address = await state.countGuess(addressKey(email), ADDRESS)
      if (!address.allowed) {
        await state.forgetGuesses(machineKey(clientIp), 'newest')
        throw locked(address.retryAfterMs)
      }
      return { isLast: address.count === ADDRESS.max }
    },
    async succeed(email, clientIp) {
      await Promise.all([
        state.forgetGuesses(addressKey(email), 'all'),
        state.forgetGuesses(machineKey(clientIp), 'newest'),
      ])
    },
    async withdraw(email, clientIp) {
      await Promise.all([
        state.forgetGuesses(addressKey(email), 'newest'),
        state.forgetGuesses(machineKey(clientIp), 'newest'),
      ])
    },
    unlock: (email) => state.forgetGuesses(addressKey(email), 'all'),
  }
}

function locked(retryAfterMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  const message = 'too many failed logins; wait, or reset the password'
  return new ApiError('RATE_LIMITED', message, { retryAfterSeconds })
}

/** Hashed: the state store needs no addresses of people, nor keys of any length. */
function addressKey(email: string): string {
  return `address:${hash('sha256', email.toLowerCase(), 'base64url')}`
}

/** Whoever has one IPv6 address usually has 2^64 of them. */
export function machineKey(clientIp: string): string {
  const mapped = clientIp.replace(/^::ffff:(?=\d+\.)/i, '')
  return `machine:${mapped.includes(':') ? networkOf(mapped) : mapped}`
}

function networkOf(ip: string): string {
  const [head = '', tail = ''] = (ip.split('%', 1)[0] as string).toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const missing = Math.max(0, 8 - first.length - last.length)
  const groups = ip.includes('::') ? [...first, ...Array(missing).fill('0'), ...last] : first
  return groups
    .slice(0, 4)
    .map((group) => parseInt(String(group), 16).toString(16))
    .join(':')
}
