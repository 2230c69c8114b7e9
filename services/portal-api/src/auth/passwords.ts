/**
 * Hashes and verifies passwords with argon2id, on threads of low priority. A hash takes 19 MiB and
 * some 10 ms of a thread, so only a few run at once, and a bounded number waits: beyond it the
 * answer is 503, and the rest of the service does not notice.
 */
import { parseOptions } from '@node-rs/argon2'
import { createQueue } from '@posthorn/async/queue'
import { ApiError } from '@posthorn/contracts/errors'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { PARAMETERS } from './password-protocol.ts'
import { normalizePassword } from './password-rules.ts'
import { createPasswordThreads } from './password-threads.ts'

const SALT_BYTES = 16

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * @param stored null: there is no such user, or the user has no password. It takes as long as any
   *   other and does not match.
   */
  verify(stored: string | null, password: string): Promise<PasswordCheck>
  /** Hashes that wait for their turn. */
  waiting(): number
  /** Ends the threads. */
  close(): Promise<void>
}

export interface PasswordCheck {
  matches: boolean
  /** It matches and was made with other parameters: store a new hash. */
  isOutdated: boolean
}

export interface PasswordLimits {
  atOnce: number
  maxWaiting: number
}

/** One processor stays free, where there is more than one. Each takes 19 MiB. */
const MAX_AT_ONCE = 3
/** Some 400 ms of waiting on three threads. */
const MAX_WAITING = 100

export function passwordLimits(processors = availableParallelism()): PasswordLimits {
  return { atOnce: Math.max(1, Math.min(MAX_AT_ONCE, processors - 1)), maxWaiting: MAX_WAITING }
}

export function createPasswords(limits: PasswordLimits = passwordLimits()): Passwords {
  const queue = createQueue<() => void>()
  let running = 0

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= limits.atOnce) {
      if (queue.size() >= limits.maxWaiting) {
        const message = 'too many people are signing in at this moment; try again in a second'
        throw new ApiError('UNAVAILABLE', message, { retryAfterSeconds: 1 })
      }
      const turn = Promise.withResolvers<void>()
      queue.push(turn.resolve)
      // Whoever ends hands over its place, so that nobody who comes meanwhile takes it.
      await turn.promise
    } else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const { run, close } = createPasswordThreads()
  const nobodys = hashOfNobody()
  return {
    async hash(given) {
      const password = normalizePassword(given)
      return String(await inTurn(() => run({ kind: 'hash', password })))
    },
    async verify(stored, given) {
      const against = stored ?? nobodys
      const password = normalizePassword(given)
      const matches = await inTurn(() => run({ kind: 'verify', stored: against, password }))
      if (stored === null || matches !== true) return { matches: false, isOutdated: false }
      return { matches: true, isOutdated: isOutdated(stored) }
    },
    waiting: () => queue.size(),
    close,
  }
}

function isOutdated(stored: string): boolean {
  const made: Readonly<Record<string, unknown>> = { ...parseOptions(stored) }
  return Object.entries(PARAMETERS).some(([name, value]) => made[name] !== value)
}

/** A hash in the PHC string format whose password nobody knows. */
function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism, outputLen } = PARAMETERS
  const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  const [salt, digest] = [randomBytes(SALT_BYTES), randomBytes(outputLen)]
  return `$argon2id$v=19$${parameters}$${encode(salt)}$${encode(digest)}`
}
