import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { createResolveOwnership } from './resolve-ownership.ts'

test('of two messages about one delivery, the older late, only the newer is granted, in whatever order they come', async () => {
  const message = (token: number, tries: number) =>
    ({ tenantId: 't', deliveryId: 'd', lane: 'lane', token, attempts: tries }) as DueDelivery
  const [older, newer] = [message(1_000, 1), message(2_000, 2)]
  for (const messages of [
    [older, newer],
    [newer, older],
  ]) {
    const askWhose = createResolveOwnership({
      claim: async () => [],
      // As Postgres does: the row's token is the newer one's, and whoever names that has it.
      renewLeases: async (held) =>
        new Map(held.flatMap(({ id, token }) => (token === 2_000 ? [[id, 3_000] as const] : []))),
      now: () => 0,
      databaseNow: () => 0,
      log: { warn: () => undefined },
    })
    const granted = await askWhose(messages.map((one) => ({ message: one, takenAt: 0 })))
    expect(granted.map((one) => [one.message.attempts, one.token])).toEqual([[2, 3_000]])
  }
})
