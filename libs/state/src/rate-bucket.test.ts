import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { rateBucketTtlMs, type RateBucket, takeTokensFrom } from './rate-bucket.ts'

test('reaches its rate when it is asked each 50 ms, and never sends twice the rate in a second', () => {
  const rates = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 3_000_000 }), (perSecond, idleMicros) => {
      let bucket: RateBucket | undefined
      const grants: { at: number; granted: number }[] = []
      const begin = 1_700_000_000_000_000
      for (let micros = 0; micros < 4_000_000; micros += 50_000) {
        // A dispatcher that asks nothing for a while and then wants everything.
        if (micros > 1_000_000 && micros < 1_000_000 + idleMicros) continue
        const at = begin + micros
        const step = takeTokensFrom(
          bucket,
          { perSecond, wanted: 1e6, priority: 5, backlog: 'owned' },
          at,
        )
        bucket = step.bucket
        grants.push({ at, granted: step.answer.granted })
      }
      for (const { at } of grants) {
        const second = grants.filter((one) => one.at >= at && one.at < at + 1_000_000)
        expect(second.reduce((sum, one) => sum + one.granted, 0)).toBeLessThanOrEqual(2 * perSecond)
      }
      if (idleMicros > 0) return
      const total = grants.reduce((sum, one) => sum + one.granted, 0)
      expect(total).toBeGreaterThanOrEqual(Math.floor(perSecond * 3.9))
    }),
    { numRuns: 30 },
  )
})

test('says when to come again, and keeps its word', () => {
  const empty: RateBucket = { at: 0, tokens: 0, ownedUntil: 0, urgent: 0, urgentUntil: 0 }
  const wanted = { perSecond: 4, wanted: 3, priority: 5, backlog: 'none' } as const
  const { answer } = takeTokensFrom(empty, wanted, 100_000)
  expect(answer).toEqual({ granted: 0, retryAfterMs: 150, backlogElsewhere: false })
  expect(takeTokensFrom(empty, wanted, 250_000).answer.granted).toBe(1)
})

test('belongs to whoever serves the backlog for as long as it takes to come back', () => {
  const owned = takeTokensFrom(
    undefined,
    { perSecond: 2, wanted: 9, priority: 5, backlog: 'owned' },
    0,
  ).bucket
  const other = { perSecond: 2, wanted: 9, priority: 5, backlog: 'none' } as const
  expect(takeTokensFrom(owned, other, 1_499_999).answer).toMatchObject({
    granted: 0,
    backlogElsewhere: true,
  })
  expect(takeTokensFrom(owned, other, 1_500_000).answer).toMatchObject({
    granted: 1,
    backlogElsewhere: false,
  })
  expect(rateBucketTtlMs(owned, 2)).toBe(1_500)
  const ended = { perSecond: 2, wanted: 9, priority: 5, backlog: 'ended' } as const
  const free = takeTokensFrom(owned, ended, 1).bucket
  expect(takeTokensFrom(free, other, 2).answer.backlogElsewhere).toBe(false)
})

test('goes to the more urgent of those who came too early, and waits for it no longer than it needs', () => {
  const ask = (bucket: RateBucket | undefined, priority: number, at: number) =>
    takeTokensFrom(bucket, { perSecond: 10, wanted: 3, priority, backlog: 'none' }, at)
  const drained = ask(ask(undefined, 10, 0).bucket, 10, 1)
  const urgent = ask(drained.bucket, 1, 2)
  expect(urgent.answer).toMatchObject({ granted: 0, retryAfterMs: 50 })
  expect(ask(urgent.bucket, 10, 100_000).answer).toMatchObject({ granted: 0 })
  expect(ask(urgent.bucket, 1, 100_000).answer).toMatchObject({ granted: 1 })
  const served = ask(urgent.bucket, 1, 100_000).bucket
  expect(ask(served, 10, 200_000).answer).toMatchObject({ granted: 1 })
  // It has died: its request is forgotten a token's time and a tenth of a second later.
  expect(ask(urgent.bucket, 10, 150_001).answer).toMatchObject({ granted: 0 })
  expect(ask(urgent.bucket, 10, 150_002).answer).toMatchObject({ granted: 2 })
})

test('is never kept from who serves the backlog by what is more urgent elsewhere', () => {
  const wants = { perSecond: 10, wanted: 3, priority: 1, backlog: 'none' } as const
  const drained = takeTokensFrom(undefined, wants, 0).bucket
  const urgent = takeTokensFrom(drained, wants, 1).bucket
  const owner = { ...wants, priority: 10, backlog: 'owned' } as const
  expect(takeTokensFrom(urgent, owner, 100_000).answer.granted).toBe(1)
})
