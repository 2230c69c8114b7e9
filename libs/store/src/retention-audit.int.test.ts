/** What the audit log tells a workspace of what retention has removed. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { idAt } from '@posthorn/domain/ids'
import { dropPartitions } from './drop-partitions.ts'
import { ensurePartitions } from './partitions.ts'
import { applyRetention } from './retention.ts'
import { makeTenant, openTestStore, type Tenant, type TestStore } from './store.fixture.ts'

const DAY_MS = 86_400_000
/** Keeps events and attempts for 7 days, audit rows and sign-ins for 30. */
const RULES = { defaultPlan: 'free' } as const
const KEPT = { events: 7, attempts: 7, auditLogs: 30, authAudit: 30 }

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
})
beforeEach(async () => {
  for (const table of ['retention_settings', 'events', 'attempts', 'audit_logs', 'auth_audit_logs'])
    await stage.pool.query(`DELETE FROM ${table}`)
  // A test may have dropped them.
  for (const days of [9, 11, 33]) await ensureDay(days)
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  await stage.close()
})

async function ensureDay(daysAgo: number): Promise<void> {
  await ensurePartitions(stage.pool, new Date(Date.now() - daysAgo * DAY_MS))
}

let serial = 0
function idOf(daysAgo: number): string {
  serial += 1
  const first = idAt(Date.now() - daysAgo * DAY_MS)
  return first.slice(0, -12) + String(serial).padStart(12, '0')
}

/** A direct event that ended on its day, with its attempt. */
async function makeEvent(daysAgo: number, { tenantId, projectId } = tenant): Promise<void> {
  const id = idOf(daysAgo)
  const endedAt = new Date(Date.now() - daysAgo * DAY_MS)
  await stage.pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       fanned_out_at, open_count, ended_at)
     VALUES ($1, $2::uuid, $3, $2::uuid::text, '{}', 5, '', $4, 0, $4)`,
    [tenantId, id, projectId, endedAt],
  )
  await stage.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
       status_code, error, duration_ms, overhead_us, response_body)
     VALUES ($1, $2, $3, $2, $2, 'https://a.example/', 1, 200, '', 1, 1, '')`,
    [tenantId, id, projectId],
  )
}

/** An audit row and a sign-in. */
async function makeAudit(daysAgo: number, action = 'endpoint.create'): Promise<void> {
  const values = [tenant.tenantId, idOf(daysAgo)]
  await stage.pool.query(
    `INSERT INTO audit_logs (tenant_id, id, action, resource, actor_type)
     VALUES ($1, $2, $3, 'endpoint', 'system')`,
    [...values, action],
  )
  await stage.pool.query(
    `INSERT INTO auth_audit_logs (tenant_id, id, event) VALUES ($1, $2, 'session.create')`,
    values,
  )
}

/** Somebody else keeps everything for ever: then no day is dropped. */
async function keepDays(): Promise<void> {
  const other = await makeTenant(stage.pool)
  await stage.pool.query(
    `INSERT INTO retention_settings (tenant_id, event_retention_days,
     delivery_attempt_retention_days, audit_log_retention_days, auth_audit_retention_days)
     VALUES ($1, 0, 0, 0, 0)`,
    [other.tenantId],
  )
}

interface Told {
  tenantId: string
  metadata: Record<string, number>
}

async function told(): Promise<Told[]> {
  const { rows } = await stage.pool.query<Told>(
    `SELECT tenant_id AS "tenantId", metadata FROM audit_logs
     WHERE action = 'retention.apply' AND resource = 'retention' AND actor_type = 'system'
       AND actor_name = 'system' AND resource_id = tenant_id::text
       AND id >= $1 ORDER BY tenant_id`,
    [idAt(Date.now() - DAY_MS)],
  )
  return rows
}

async function apply() {
  return await applyRetention(stage.pool, new Date(), RULES)
}

test('what goes in batches is counted in one row a day', async () => {
  await keepDays()
  for (const days of [9, 10, 10]) await makeEvent(days)
  await makeAudit(33)
  await makeEvent(1)
  expect(await apply()).toMatchObject({ dropped: [], events: 3, attempts: 3 })
  const counts = { events: 3, attempts: 3, auditLogs: 1, authAudit: 1 }
  expect(await told()).toEqual([{ tenantId: tenant.tenantId, metadata: counts }])
  await apply()
  expect(await told()).toEqual([{ tenantId: tenant.tenantId, metadata: counts }])
  await makeEvent(11)
  await apply()
  const more = { ...counts, events: 4, attempts: 4 }
  expect(await told()).toEqual([{ tenantId: tenant.tenantId, metadata: more }])
})

test('each workspace is told of its own of a day that was dropped', async () => {
  await ensureDay(50)
  const other = await makeTenant(stage.pool)
  await makeEvent(50)
  await makeEvent(50)
  await makeEvent(50, other)
  await makeAudit(50)
  const { dropped, events } = await apply()
  expect(
    dropped.filter((name) => /^(events|attempts|audit_logs|auth_audit)/.test(name)),
  ).not.toEqual([])
  expect(events).toBe(0)
  expect(await told()).toEqual(
    [
      {
        tenantId: tenant.tenantId,
        metadata: { events: 2, attempts: 2, auditLogs: 1, authAudit: 1 },
      },
      { tenantId: other.tenantId, metadata: { events: 1, attempts: 1 } },
    ].toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)),
  )
})

test('a day of many is counted in steps', async () => {
  await ensureDay(51)
  const other = await makeTenant(stage.pool)
  // Two full steps and more of each, from the middle of one tenant to the middle of the other.
  const counts = [7_501, 4_502]
  for (const [n, { tenantId }] of [tenant, other].entries()) {
    const row = [tenantId, idOf(51).slice(0, -12), counts[n]]
    for (const [table, columns, values] of [
      ['audit_logs', 'action, resource, actor_type', `'endpoint.create', 'endpoint', 'system'`],
      ['auth_audit_logs', 'event', `'session.create'`],
    ])
      await stage.pool.query(
        `INSERT INTO ${table} (tenant_id, id, ${columns})
         SELECT $1, ($2 || lpad(n::text, 12, '0'))::uuid, ${values}
         FROM generate_series(1, $3::int) n`,
        row,
      )
  }
  await makeAudit(51, 'retention.apply')
  const windows = [tenant, other].map(({ tenantId }) => ({ tenantId, ...KEPT }))
  const steps: number[] = []
  const client = await stage.pool.connect()
  try {
    await dropPartitions(
      {
        async query<Row extends object>(text: string, values?: unknown[]) {
          const answer = await client.query<Row>(text, values)
          const rows = answer.rows as { count?: number }[]
          const counted = rows.reduce((sum, { count = 0 }) => sum + count, 0)
          if (/FROM (auth_)?audit_logs_\d/.test(text) && counted > 0) steps.push(counted)
          return answer
        },
      },
      windows,
      new Date(),
      new Date(),
    )
  } finally {
    client.release()
  }
  // The sign-in that is beside the row of retention itself.
  expect(steps).toEqual([5_000, 5_000, 2_003, 5_000, 5_000, 2_004])
  expect(await told()).toEqual(
    [tenant, other]
      .map(({ tenantId }, n) => {
        const count = counts[n] ?? 0
        return { tenantId, metadata: { auditLogs: count, authAudit: n === 0 ? count + 1 : count } }
      })
      .toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)),
  )
})

test('that such a row has gone leaves no other behind', async () => {
  await keepDays()
  await makeAudit(33, 'retention.apply')
  await stage.pool.query('DELETE FROM auth_audit_logs')
  expect(await apply()).toMatchObject({ auditLogs: 1 })
  expect(await told()).toEqual([])
})

test('a workspace that is being deleted is told nothing', async () => {
  await keepDays()
  await makeEvent(10)
  await stage.pool.query('UPDATE tenants SET deleting_since = now() WHERE id = $1', [
    tenant.tenantId,
  ])
  expect(await apply()).toMatchObject({ events: 1 })
  expect(await told()).toEqual([])
})
