/** Uses of sessions that several instances, and others, write at the same time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { makeTenant, openTestStore, type TestStore } from './store.fixture.ts'
import { recordSubAccountSessionUses } from './sub-account-sessions.ts'

let stage: TestStore
let tenantId: string
beforeAll(async () => {
  stage = await openTestStore()
  tenantId = (await makeTenant(stage.pool)).tenantId
})
afterAll(async () => {
  await stage.close()
})

async function makeSessions(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await stage.pool.query(
    `INSERT INTO sub_account_sessions (tenant_id, id, scopes, return_url, created_by, expires_at,
       max_expires_at)
     SELECT $1, id, '{}', 'https://a.example/', 'x', now() + interval '1 hour',
       now() + interval '1 day' FROM unnest($2::uuid[]) AS id`,
    [tenantId, ids],
  )
  return ids
}

const usesOf = (ids: readonly string[]) => ids.map((id) => ({ tenantId, id, count: 1 }))

async function countsOf(ids: readonly string[]): Promise<number[]> {
  const { rows } = await stage.pool.query<{ count: number }>(
    'SELECT use_count::int AS count FROM sub_account_sessions WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  return rows.map(({ count }) => count)
}

test('two batches of the same sessions, in opposite orders, are both counted', async () => {
  const ids = await makeSessions(200)
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([
      recordSubAccountSessionUses(stage.pool, usesOf(ids)),
      recordSubAccountSessionUses(stage.pool, usesOf(ids.toReversed())),
    ])
  }
  expect(new Set(await countsOf(ids))).toEqual(new Set([20]))
})

test('a batch that is undone by a deadlock with somebody else is written again', async () => {
  const ids = await makeSessions(2)
  const [first, last] = ids
  const other = await stage.pool.connect()
  const revoke = `UPDATE sub_account_sessions SET revoked_at = now() WHERE id = $1`
  await other.query('BEGIN')
  // It looks for a deadlock last, so that it is the batch that is undone.
  await other.query(`SET LOCAL deadlock_timeout = '1min'`)
  await other.query(revoke, [last])
  const recorded = recordSubAccountSessionUses(stage.pool, usesOf(ids))
  await eventually(async () => {
    const { rowCount } = await stage.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE 'UPDATE sub_account_sessions s%'`,
    )
    expect(rowCount).toBe(1)
  })
  // Now each waits for the other.
  try {
    await other.query(revoke, [first])
    await other.query('COMMIT')
  } finally {
    other.release(true)
  }
  await recorded
  expect(await countsOf(ids)).toEqual([1, 1])
})
