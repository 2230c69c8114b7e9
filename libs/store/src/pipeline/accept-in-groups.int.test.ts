import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { PoolClient } from 'pg'
import { openPool } from '../pool.ts'
import { directEvent, makeTenant, openTestStore, type TestStore } from '../store.fixture.ts'
import { createAcceptInGroups } from './accept-in-groups.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store.close())

/** As a handler that waits for one promise after the other. */
async function answerLater(promises: number): Promise<void> {
  for (let left = promises; left > 0; left -= 1) await Promise.resolve()
}

test('a group is sent before the group before it is answered, and over one connection', async () => {
  const tenant = await makeTenant(store.pool)
  const order: string[] = []
  const statements: number[] = []
  const groups = createAcceptInGroups(
    store,
    () => order.push('written'),
    (inMs) => {
      statements.push(inMs)
      return 0
    },
  )
  let second: Promise<unknown> | undefined
  const borrowed: PoolClient[] = []
  store.pool.on('acquire', (client: PoolClient) => {
    borrowed.push(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      order.push('sent')
      const sent = query(...given)
      second ??= groups.accept(directEvent(tenant))
      return sent
    }) as typeof client.query
  })
  const answered = groups.accept(directEvent(tenant)).then(async (outcome) => {
    // The outcome goes through some functions before a request is answered.
    await answerLater(3)
    order.push('answered')
    return outcome
  })
  expect(await answered).toMatchObject({ outcome: 'accepted' })
  expect(await second).toMatchObject({ outcome: 'accepted' })
  await groups.idle()
  expect(order).toEqual(['sent', 'written', 'sent', 'answered', 'written'])
  expect(borrowed).toHaveLength(1)
  expect(store.pool.idleCount).toBe(store.pool.totalCount)
  // It is asked where others have come, with the time that a statement takes.
  expect(statements).toHaveLength(1)
  expect(statements[0]).toBeGreaterThan(0)
})

test('a group waits for others no longer than a statement takes', async () => {
  const tenant = await makeTenant(store.pool)
  let second: Promise<unknown> | undefined
  const groups = createAcceptInGroups(
    store,
    () => {
      second ??= groups.accept(directEvent(tenant))
    },
    () => 600_000,
  )
  expect(await groups.accept(directEvent(tenant))).toMatchObject({ outcome: 'accepted' })
  expect(await second).toMatchObject({ outcome: 'accepted' })
  await groups.idle()
})

test('groups with large payloads go over the connections for bulk, and the others do not', async () => {
  const tenant = await makeTenant(store.pool)
  const bulkPool = openPool({ url: store.url, max: 1, name: 'bulk', onError: () => {} })
  const taken: string[] = []
  bulkPool.on('acquire', () => taken.push('bulk'))
  store.pool.on('acquire', () => taken.push('pool'))
  const { accept, idle } = createAcceptInGroups(
    { pool: store.pool, bulkPool },
    () => {},
    () => 0,
  )
  const accepted = { outcome: 'accepted' }
  const withPayload = (length: number) => ({
    ...directEvent(tenant),
    payload: JSON.stringify('x'.repeat(length - 2)),
  })
  expect(await accept(withPayload(128 * 1024 - 1))).toMatchObject(accepted)
  await idle()
  expect(taken).toEqual(['pool'])
  expect(await accept(withPayload(128 * 1024))).toMatchObject(accepted)
  await idle()
  expect(taken).toEqual(['pool', 'bulk'])
  const together = [1, 2, 3].map(() => accept(withPayload(50 * 1024)))
  expect(await Promise.all(together)).toMatchObject([accepted, accepted, accepted])
  await idle()
  expect(taken).toEqual(['pool', 'bulk', 'bulk'])
  await bulkPool.end()
})
