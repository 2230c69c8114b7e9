import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { createResolveOwnership, RENEWED_WITHIN_MS, takeBy } from './resolve-ownership.ts'

test('of two messages about one delivery only the newer is granted, in whatever order they come', async () => {
  const message = (token: number, attempts: number) =>
    ({ tenantId: 't', deliveryId: 'd', lane: 'lane', token, attempts }) as DueDelivery
  const [older, newer] = [message(1_000, 1), message(2_000, 2)]
  for (const messages of [
    [older, newer],
    [newer, older],
  ]) {
    const resolveOwnership = createResolveOwnership({
      state: { claim: async () => [] },
      // As Postgres does: the row's token is the newer one's, and whoever names that has it.
      statements: {
        renewLeases: async (rows) =>
          new Map(rows.flatMap(({ id, token }) => (token === 2_000 ? [[id, 3_000] as const] : []))),
      },
      now: () => 0,
      databaseNow: () => 0,
      log: { warn: () => undefined },
    })
    const granted = await resolveOwnership(messages.map((one) => ({ message: one, takenAt: 0 })))
    expect(granted.map((one) => [one.message.attempts, one.token])).toEqual([[2, 3_000]])
  }
})

test('a token that lasts is claimed for longer, one that hardly lasts is asked for as well', () => {
  const now = 1_700_000_000_000
  const token = (leftMs: number): number => (now + leftMs) * 1_000
  expect(takeBy(token(10_000), now)).toEqual({ by: 'claim', ttlMs: 15_000 })
  expect(takeBy(token(RENEWED_WITHIN_MS), now).by).toBe('claim')
  expect(takeBy(token(RENEWED_WITHIN_MS - 1), now)).toEqual({
    by: 'claim, then renewal',
    ttlMs: 9_999,
  })
  expect(takeBy(token(-1), now)).toEqual({ by: 'claim, then renewal', ttlMs: 4_999 })
  expect(takeBy(token(-5_000), now)).toEqual({ by: 'renewal' })
  expect(takeBy(token(-60_000), now)).toEqual({ by: 'renewal' })
})

test('a lane’s head is claimed in Postgres, however much of its lease is left', () => {
  const now = 1_000_000
  const token = (now + 9_000) * 1_000
  expect(takeBy(token, now).by).toBe('claim')
  expect(takeBy(token, now, '')).toEqual({ by: 'renewal' })
})
