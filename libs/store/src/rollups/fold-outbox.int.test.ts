/**
 * Folding counts exactly: recorders repeat what they have written, and folders are killed in the
 * middle of their work.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, setIdClock } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { isLongForm } from '@posthorn/testing/long-form'
import { fanOut } from '../pipeline/fan-out.ts'
import { acceptEvents } from '../pipeline/accept-events.ts'
import { type AttemptRecord, recordAttempts } from '../pipeline/record-attempts.ts'
import { openPool, type Pool } from '../pool.ts'
import {
  attemptOf,
  countRows,
  makeTenant,
  openTestStore,
  type Tenant,
  type TestStore,
  typedEvent,
} from '../store.fixture.ts'
import { type Folded, type FoldedPart, foldOutbox, type OutboxPlace } from './fold-outbox.ts'
import { removeOldRollups } from './remove-old-rollups.ts'
import { findMiscounted, foldAll } from './rollups.fixture.ts'

const ATTEMPTS = isLongForm ? 100_000 : 4_000
const BATCH = 200
const ENDPOINTS = 40
const ERRORS = ['', '', 'timeout: 30000 ms', 'http_5xx: status 500', 'dns: ENOTFOUND', 'reset: x']

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  setIdClock(Date.now)
  await stage.close()
})

async function makeAttempts(tenant: Tenant, endpoints: readonly string[]) {
  const events = Array.from({ length: BATCH }, () => typedEvent(tenant))
  await acceptEvents(stage.pool, events)
  const made = events.map((event, n) => ({
    tenantId: tenant.tenantId,
    eventId: event.id,
    deliveries: [{ deliveryId: newId(), endpointId: endpoints[n % ENDPOINTS] ?? '' }],
  }))
  await fanOut(stage.pool, made)
  return made.map(({ eventId, deliveries: [made] }, n): AttemptRecord => {
    const { deliveryId = '', endpointId = '' } = made ?? {}
    const ids = { ...tenant, eventId, deliveryId, endpointId, targetId: endpointId }
    const error = ERRORS[n % ERRORS.length] ?? ''
    const next: AttemptRecord['next'] =
      error === '' ? { state: 'delivered' } : { state: 'dead', reason: 'attempts used up' }
    const work = { ...ids, token: 0, priority: 5, seq: 0, attempts: 0 }
    return attemptOf(work, next, { error, durationMs: 1 + ((n * 7_919) % 40_000) })
  })
}

/** Sweeps, or folds these tenants, until told to stop, whatever happens to its connections. */
async function foldOn(
  pool: Pool,
  state: { isOver: boolean; folds: number },
  tenantIds?: readonly string[],
): Promise<void> {
  let after: OutboxPlace | null = null
  while (!state.isOver) {
    const part: FoldedPart = tenantIds === undefined ? { after, minAgeMs: 0 } : { tenantIds }
    const folded: Folded | null = await foldOutbox(pool, part, 7).catch(() => null)
    if (folded !== null && folded.rows > 0) state.folds += 1
    after = folded?.rows === 7 ? folded.last : null
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('counts equal the attempts’ rows in every grain, though all are repeated and folders killed', async () => {
  const tenants = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
  const endpoints = tenants.map(() => Array.from({ length: ENDPOINTS }, newId))
  const pools = [1, 2, 3].map(() =>
    openPool({ url: stage.url, max: 2, name: 'folder', onError: () => {} }),
  )
  const state = { isOver: false, folds: 0 }
  const asked = tenants.map(({ tenantId }) => tenantId)
  const folders = pools.map((pool, n) => foldOn(pool, state, n === 0 ? asked : undefined))
  let killed = 0
  try {
    for (let written = 0; written < ATTEMPTS; written += BATCH) {
      const at = (written / BATCH) % tenants.length
      // Over two hours and a midnight, also on a quiet day.
      const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000
      setIdClock(() => midnight - 3_600_000 + (written / ATTEMPTS) * 7_200_000)
      const attempts = await makeAttempts(tenants[at] as Tenant, endpoints[at] ?? [])
      await Promise.all([
        recordAttempts(stage.pool, attempts),
        recordAttempts(stage.pool, attempts.slice(BATCH / 2)),
      ])
      await recordAttempts(stage.pool, attempts)
      const { rowCount } = await stage.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'folder'
         ORDER BY state = 'idle' LIMIT 1`,
      )
      killed += rowCount ?? 0
    }
  } finally {
    state.isOver = true
    await Promise.all(folders)
    for (const pool of pools) await pool.end()
  }
  await foldAll(stage.pool)
  expect(await countRows(stage.pool, 'attempts')).toBe(ATTEMPTS)
  expect(await countRows(stage.pool, 'rollup_outbox')).toBe(0)
  expect(await findMiscounted(stage.pool)).toEqual([])
  expect(await countRows(stage.pool, 'rollup_days')).toBeGreaterThan(2 * ENDPOINTS)
  expect(killed).toBeGreaterThan(0)
  expect(state.folds).toBeGreaterThan(0)
}, 600_000)

test('a sweep goes from tenant to tenant, over what was there when it began', async () => {
  const tenants = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
  const [one = '', other = ''] = tenants.map(({ tenantId }) => tenantId).sort()
  const accept = (): Promise<unknown> =>
    acceptEvents(
      stage.pool,
      tenants.map((tenant) => typedEvent(tenant)),
    )
  const left = async (): Promise<number[]> =>
    await Promise.all(
      [one, other].map((tenantId) =>
        countRows(stage.pool, 'rollup_outbox', 'tenant_id = $1', [tenantId]),
      ),
    )
  await foldAll(stage.pool)
  for (let n = 0; n < 3; n += 1) await accept()
  await stage.pool.query(`UPDATE rollup_outbox SET created_at = now() - interval '20 s'`)
  await accept()

  const first = await foldOutbox(stage.pool, { after: null, minAgeMs: 10_000 }, 2)
  expect(first).toMatchObject({ rows: 2, last: { tenantId: one } })
  expect([...first.bytes]).toEqual([[one, 80]])
  // A tenant and a project in three grains, and the tenant's moment; more where a minute ended.
  expect(first.written).toBeGreaterThanOrEqual(7)
  expect(first.oldestMs).toBeGreaterThanOrEqual(20_000)
  expect(await left()).toEqual([2, 4])
  const second = await foldOutbox(stage.pool, { after: first.last, minAgeMs: 10_000 }, 2)
  expect(second).toMatchObject({ rows: 2, last: { tenantId: other } })
  expect(await left()).toEqual([1, 3])
  const third = await foldOutbox(stage.pool, { after: second.last, minAgeMs: 10_000 }, 9)
  expect(third.rows).toBe(2)
  expect(await left()).toEqual([1, 1])
  expect((await foldOutbox(stage.pool, { tenantIds: [other] }, 9)).rows).toBe(1)
  expect(await left()).toEqual([1, 0])
})

test('whoever asks for a tenant waits for the fold that is at work on it, and nobody else does', async () => {
  const tenant = await makeTenant(stage.pool)
  await acceptEvents(stage.pool, [typedEvent(tenant)])
  const client = await stage.pool.connect()
  await client.query('BEGIN')
  await client.query('DELETE FROM rollup_outbox WHERE tenant_id = $1', [tenant.tenantId])
  const swept = await foldOutbox(stage.pool, { after: null, minAgeMs: 0 }, 9)
  expect(swept.bytes.has(tenant.tenantId)).toBe(false)
  const passedOver = { tenantIds: [tenant.tenantId], passesOver: true }
  expect((await foldOutbox(stage.pool, passedOver, 9)).rows).toBe(0)
  let isDone = false
  const asked = foldOutbox(stage.pool, { tenantIds: [tenant.tenantId] }, 9)
  void asked.then(() => (isDone = true))
  await waitUntilBlocked()
  expect(isDone).toBe(false)
  await client.query('COMMIT')
  client.release()
  expect((await asked).rows).toBe(0)
})

async function waitUntilBlocked(): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await stage.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock'`,
    )
    expect(rowCount).toBe(1)
  })
}

test('what is too old is removed by its grain, and nothing else', async () => {
  const { tenantId } = await makeTenant(stage.pool)
  const columns = `accepted, succeeded, acknowledged, dead, timeout, http_4xx, http_5xx, dns, tls,
    refused, other`
  for (const table of ['rollup_minutes', 'rollup_hours', 'rollup_days']) {
    await stage.pool.query(
      `INSERT INTO ${table} (tenant_id, scope_id, bucket, ${columns})
       SELECT $1, $1, now() - ago, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM unnest('{25 hours, 27 hours, 400 days, 402 days}'::interval[]) ago`,
      [tenantId],
    )
  }
  await removeOldRollups(stage.pool, new Date())
  const left = await Promise.all(
    ['rollup_minutes', 'rollup_hours', 'rollup_days'].map((table) =>
      countRows(stage.pool, table, 'tenant_id = $1', [tenantId]),
    ),
  )
  expect(left).toEqual([1, 3, 3])
})
