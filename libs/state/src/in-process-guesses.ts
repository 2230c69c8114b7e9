/**
 * Guesses counted in this process: all of them in `standalone`, and those that are made while Redis
 * is away. Limits of guesses do not fail open like the others: without Redis each instance counts
 * by itself, so that an outage gives an attacker a few guesses more and not all.
 */
import { createExpiringMap } from './expiring-map.ts'
import { countGuessIn, guessesTtlMs } from './guesses.ts'
import type { StateStore } from './state-store.ts'

export type GuessCounts = Pick<StateStore, 'countGuess' | 'forgetGuesses'>

/**
 * Some 300 bytes each: 30 MB. Over it the secret that was guessed at longest ago is forgotten,
 * which takes an attacker as many others.
 */
const MAX_SECRETS = 100_000

interface Guesses {
  times: readonly number[]
  ttlMs: number
}

export function createInProcessGuesses(deps: { nowMs(): number }): GuessCounts {
  const secrets = createExpiringMap<Guesses>({ maxEntries: MAX_SECRETS }, deps)
  return {
    async countGuess(key, policy) {
      const { times, answer } = countGuessIn(secrets.get(key)?.times ?? [], policy, deps.nowMs())
      const ttlMs = guessesTtlMs(policy)
      if (answer.allowed) secrets.set(key, { times, ttlMs }, ttlMs)
      return answer
    },
    async forgetGuesses(key, which) {
      const kept = secrets.get(key)
      if (kept === undefined) return
      const times = which === 'all' ? [] : kept.times.slice(1)
      if (times.length === 0) secrets.delete(key)
      else secrets.set(key, { ...kept, times }, kept.ttlMs)
    },
  }
}
