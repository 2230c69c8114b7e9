import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { takeTokenFrom, type TokenBucket } from './token-bucket.ts'

describe('takeTokenFrom', () => {
  test('starts with a full bucket', () => {
    expect(takeTokenFrom(undefined, 5, 0)).toEqual({
      bucket: { at: 0, tokens: 4 },
      answer: { allowed: true, remaining: 4, retryAfterMs: 0, resetMs: 200 },
    })
  })

  test('refuses from an empty one until a token is back', () => {
    const empty = { at: 0, tokens: 0 }
    expect(takeTokenFrom(empty, 5, 50_000).answer).toEqual({
      allowed: false,
      remaining: 0,
      retryAfterMs: 150,
      resetMs: 950,
    })
    expect(takeTokenFrom(empty, 5, 200_000).answer.allowed).toBe(true)
  })

  test('holds one token where the rate is under one a second', () => {
    const first = takeTokenFrom(undefined, 0.5, 0)
    expect(first.answer).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0, resetMs: 2_000 })
    expect(takeTokenFrom(first.bucket, 0.5, 1_999_999).answer.allowed).toBe(false)
    expect(takeTokenFrom(first.bucket, 0.5, 2_000_000).answer.allowed).toBe(true)
  })

  test('is not set back by a clock that is', () => {
    expect(takeTokenFrom({ at: 9_000_000, tokens: 2 }, 5, 0).answer.remaining).toBe(1)
  })

  test('shrinks with a rate that is lowered', () => {
    expect(takeTokenFrom({ at: 0, tokens: 90 }, 10, 0).answer.remaining).toBe(9)
  })

  test('never gives more than the bucket and what came since, and keeps its word', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 2_000, noNaN: true }), steps, (rate, gaps) => {
        let bucket: TokenBucket | undefined
        let now = 1_700_000_000_000_000
        const start = now
        let taken = 0
        for (const gap of gaps) {
          now += gap
          const step = takeTokenFrom(bucket, rate, now)
          if (step.answer.allowed) {
            bucket = step.bucket
            taken += 1
          } else {
            const later = now + step.answer.retryAfterMs * 1000
            expect(takeTokenFrom(bucket, rate, later).answer.allowed).toBe(true)
          }
          expect(taken).toBeLessThanOrEqual(Math.max(1, rate) + ((now - start) * rate) / 1e6 + 1e-6)
        }
      }),
    )
  })
})
