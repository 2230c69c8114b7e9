/**
 * Hashes and verifies passwords with argon2id. A hash takes 19 MiB and some 10 ms of a thread, so
 * only a few run at once, and a bounded number waits: beyond it the answer is 503, and the rest of
 * the service does not notice.
 */
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { createQueue } from '@posthorn/async/queue'
import { ApiError } from '@posthorn/contracts/errors'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { normalizePassword } from './password-rules.ts'

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 lane. `Algorithm.Argon2id` is 2. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
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
}

export interface PasswordCheck {
  matches: boolean
  /** It matches and was made with other parameters: store a new hash. */
  isOutdated: boolean
}

interface PasswordLimits {
  atOnce: number
  maxWaiting: number
}

/**
 * libuv has four threads, on which names are resolved and files are read too: one stays free. One
 * processor stays free as well, where there is more than one.
 */
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

  const nobodys = hashOfNobody()
  return {
    hash: (password) => inTurn(() => hash(normalizePassword(password), PARAMETERS)),
    async verify(stored, password) {
      const against = stored ?? nobodys
      const matches = await inTurn(() => matchesHash(against, normalizePassword(password)))
      if (stored === null || !matches) return { matches: false, isOutdated: false }
      return { matches, isOutdated: isOutdated(stored) }
    },
    waiting: () => queue.size(),
  }
}

/** A stored text that is no hash matches nothing: the library throws. */
async function matchesHash(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password)
  } catch {
    return false
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
