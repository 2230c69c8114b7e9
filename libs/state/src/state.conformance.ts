/** What every state store must do. Keys are random, so that runs may share a store. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import type { StateStore, TokenAnswer } from './state-store.ts'

/** On a starved machine a store that is there may answer later than a product waits for it. */
export const LONG_TIMEOUT = { commandTimeoutMs: 20_000 }

export function stateConformance(name: string, makeState: () => Promise<StateStore>): void {
  describe(`${name} as a state store`, () => {
    let state: StateStore
    let key: string

    beforeEach(async () => {
      state = await makeState()
      key = randomUUID()
    })
    afterEach(() => state.close())

    async function takeMany(count: number, perSecond: number): Promise<TokenAnswer[]> {
      const answers: TokenAnswer[] = []
      for (let index = 0; index < count; index += 1) {
        answers.push(await state.takeToken(key, perSecond))
      }
      return answers
    }

    test('gives a claim to the first that asks', async () => {
      const claims = [
        { key: `${key}:a`, ttlMs: 60_000 },
        { key: `${key}:b`, ttlMs: 60_000 },
      ]
      expect(await state.claim(claims)).toEqual([true, true])
      expect(await state.claim([...claims, { key: `${key}:c`, ttlMs: 60_000 }])).toEqual([
        false,
        false,
        true,
      ])
    })

    test('gives a claim once to callers at the same time, and once within a call', async () => {
      const claim = { key, ttlMs: 60_000 }
      const answers = await Promise.all([1, 2, 3, 4].map(() => state.claim([claim, claim])))
      expect(answers.flat().filter(Boolean)).toHaveLength(1)
    })

    test('gives a claim again when it has ended', async () => {
      const claim = { key, ttlMs: 1_000 }
      expect(await state.claim([claim])).toEqual([true])
      expect(await state.claim([claim])).toEqual([false])
      await eventually(async () => (await state.claim([claim]))[0] === true)
    })

    test('keeps a claim that is renewed, and not one that was not', async () => {
      const [kept, left] = [
        { key: `${key}:kept`, ttlMs: 1_000 },
        { key: `${key}:left`, ttlMs: 1_000 },
      ]
      await state.claim([kept, left])
      await state.renew([{ ...kept, ttlMs: 60_000 }])
      await eventually(async () => (await state.claim([left]))[0] === true)
      expect(await state.claim([kept])).toEqual([false])
    })

    test('does not take a claim by renewing it', async () => {
      await state.renew([{ key, ttlMs: 60_000 }])
      expect(await state.claim([{ key, ttlMs: 60_000 }])).toEqual([true])
    })

    test('takes a time to live with a fraction, and one of 0', async () => {
      expect(await state.claim([{ key, ttlMs: 5_000.5 }])).toEqual([true])
      expect(await state.claim([{ key: `${key}:over`, ttlMs: 0 }])).toEqual([true])
    })

    test('answers nothing to nothing', async () => {
      expect(await state.claim([])).toEqual([])
      await state.renew([])
    })

    test('gives as many tokens as a second holds, then says when the next comes', async () => {
      // One token every 20 s, so that none comes back while the test runs.
      const answers = await takeMany(2, 0.05)
      expect(answers.map(({ allowed }) => allowed)).toEqual([true, false])
      expect(answers[0]).toMatchObject({ remaining: 0, retryAfterMs: 0, resetMs: 20_000 })
      expect(answers[1]?.retryAfterMs).toBeGreaterThan(15_000)
      expect(answers[1]?.retryAfterMs).toBeLessThanOrEqual(20_000)
    })

    test('counts down what is left', async () => {
      const answers = await takeMany(3, 1_000_000)
      for (const answer of answers) {
        expect(answer).toMatchObject({ allowed: true, retryAfterMs: 0 })
        expect(answer.remaining).toBeGreaterThanOrEqual(999_990)
        expect(answer.remaining).toBeLessThan(1_000_000)
      }
    })

    test('fills a bucket again at its rate', async () => {
      const startedAt = performance.now()
      let taken = 0
      await eventually(
        async () => {
          const answer = await state.takeToken(key, 20)
          if (answer.allowed) taken += 1
          expect(answer.retryAfterMs > 0).toBe(!answer.allowed)
          return taken >= 26
        },
        { everyMs: 5 },
      )
      const elapsedMs = performance.now() - startedAt
      // 20 at once, and 6 more at 50 ms each.
      expect(elapsedMs).toBeGreaterThanOrEqual(295)
    })

    test('keeps a bucket for each key', async () => {
      await takeMany(2, 0.05)
      expect((await state.takeToken(`${key}:other`, 0.05)).allowed).toBe(true)
    })

    test('never gives more than the bucket holds to callers at the same time', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => state.takeToken(key, 0.05)),
      )
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(1)
    })

    test('tells how many tokens there are, and takes none', async () => {
      const bucket = { key, perSecond: 0.05, of: 'requests' } as const
      expect(await state.readTokens([bucket])).toEqual([{ tokens: 1, resetMs: 0 }])
      expect((await state.takeToken(key, 0.05)).allowed).toBe(true)
      const rate = { key: `${key}:rate`, perSecond: 0.8, of: 'deliveries' } as const
      const wanted = { perSecond: 0.8, wanted: 1, priority: 5, backlog: 'none' } as const
      const [before] = await state.readTokens([rate])
      await state.takeTokens(rate.key, wanted)
      const [left, ofRate] = await state.readTokens([bucket, rate])
      expect([before?.tokens, left?.tokens, ofRate?.tokens]).toEqual([1, 0, 0])
      expect(left?.resetMs).toBeGreaterThan(15_000)
      expect(await state.readTokens([])).toEqual([])
    })

    test('refuses a rate of nothing', async () => {
      await expect(state.takeToken(key, 0)).rejects.toThrow(RangeError)
      await expect(state.takeToken(key, Number.NaN)).rejects.toThrow(RangeError)
    })

    const GUESSES = { max: 3, windowMs: 60_000, lockMs: 60_000 }
    const guess = async () => await state.countGuess(key, GUESSES)

    test('counts guesses, locks at the most, and says for how long', async () => {
      for (const count of [1, 2, 3]) {
        expect(await guess()).toEqual({ allowed: true, count, retryAfterMs: 0 })
      }
      const locked = await guess()
      expect(locked).toMatchObject({ allowed: false, count: 3 })
      expect(locked.retryAfterMs).toBeGreaterThan(50_000)
      expect(locked.retryAfterMs).toBeLessThanOrEqual(60_000)
      expect((await state.countGuess(`${key}:other`, GUESSES)).allowed).toBe(true)
    })

    test('lets no more guesses through when they come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, guess))
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3)
    })

    test('forgets the newest guess, or all', async () => {
      for (let n = 0; n < 3; n += 1) await guess()
      await state.forgetGuesses(key, 'newest')
      expect([(await guess()).allowed, (await guess()).allowed]).toEqual([true, false])
      await state.forgetGuesses(key, 'all')
      expect((await guess()).count).toBe(1)
      await state.forgetGuesses(`${key}:other`, 'newest')
    })

    test('unlocks a secret by itself', async () => {
      const short = { max: 1, windowMs: 1_000, lockMs: 1_000 }
      // Both are asked at once, and others use the store too: what is between them must be short.
      const guesses = await Promise.all([1, 2].map(() => state.countGuess(key, short)))
      expect(guesses.map(({ allowed }) => allowed)).toEqual([true, false])
      await eventually(async () => (await state.countGuess(key, short)).allowed)
    })

    test('says that it works', async () => {
      expect((await state.check()).ok).toBe(true)
    })
  })
}
