/** Events, audit rows and settings of any age, on a real database, for the tests of retention. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { idAt } from '@posthorn/domain/ids'
import { acceptEvents } from './pipeline/accept-events.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'
import {
  attemptOf,
  countRows,
  directEvent,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
} from './store.fixture.ts'

const DAY_MS = 86_400_000
export const RULES = { defaultPlan: 'free' } as const
/** The plan of the tenants here keeps events for 7 days, attempts as well. */
export const KEPT_DAYS = 7

export let stage: TestStore
export let tenant: Tenant
let serial = 0

/** Opens the database of a test file. Each test begins without events, with a tenant of its own. */
export function openRetentionStage(): void {
  beforeAll(async () => {
    stage = await openTestStore()
  })
  beforeEach(async () => {
    await stage.pool.query('DELETE FROM retention_settings')
    for (const table of ['events', 'deliveries', 'attempts', 'idempotency_keys', 'due'])
      await stage.pool.query(`DELETE FROM ${table}`)
    for (const table of AUDIT_TABLES) await stage.pool.query(`DELETE FROM ${table}`)
    tenant = await makeTenant(stage.pool)
  })
  afterAll(async () => {
    await stage.close()
  })
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS)
}

export function partitionOf(table: string, at: Date): string {
  return `${table}_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** An event that was accepted so many days ago. @param endedDaysAgo null: it has not ended */
export async function makeEvent(
  days: number,
  endedDaysAgo: number | null,
  of = tenant,
): Promise<string> {
  serial += 1
  const id = idAt(daysAgo(days).getTime()).slice(0, -12) + String(serial).padStart(12, '0')
  const event = directEvent(of, { id })
  const [accepted] = await acceptEvents(stage.pool, [event])
  if (accepted?.outcome !== 'accepted') throw new Error('a new event was not accepted')
  if (endedDaysAgo === null) return id
  const work = {
    ...of,
    eventId: id,
    deliveryId: id,
    endpointId: null,
    targetId: event.targetId ?? '',
    token: accepted.token,
    priority: 5,
    seq: accepted.seq,
    attempts: 0,
  }
  const attemptId = id.replace('-8000-', '-8001-')
  await recordAttempts(stage.pool, [
    attemptOf(work, { state: 'dead', reason: 'attempts used up' }, { id: attemptId }),
  ])
  for (const table of ['events', 'deliveries']) {
    await stage.pool.query(`UPDATE ${table} SET ended_at = $2 WHERE id = $1`, [
      id,
      daysAgo(endedDaysAgo),
    ])
  }
  return id
}

export async function setDays(
  of: Tenant,
  events: number | null,
  attempts: number | null,
  audit: number | null = null,
): Promise<void> {
  await stage.pool.query(
    `INSERT INTO retention_settings (tenant_id, event_retention_days,
     delivery_attempt_retention_days, audit_log_retention_days, auth_audit_retention_days)
     VALUES ($1, $2, $3, $4, $4)`,
    [of.tenantId, events, attempts, audit],
  )
}

export const AUDIT_TABLES = ['audit_logs', 'auth_audit_logs'] as const

/** So many direct events of one day, each the first ids of the day, that ended on the next. */
export async function fillDay(days: number, events: number): Promise<void> {
  const from = Math.floor(daysAgo(days).getTime() / DAY_MS) * DAY_MS
  const id = `overlay('${idAt(from)}' placing lpad(i::text, 12, '0') from 25)::uuid`
  const values = [tenant.tenantId, daysAgo(days - 1)]
  await stage.pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       fanned_out_at, open_count, ended_at)
     SELECT $1, ${id}, $3, i::text, '{}', 5, '', $2, 0, $2 FROM generate_series(1, ${events}) i`,
    [...values, tenant.projectId],
  )
  await stage.pool.query(
    `INSERT INTO deliveries (tenant_id, id, event_id, target_id, seq, priority, state, ended_at)
     SELECT $1, ${id}, ${id}, $1, i, 5, 3, $2 FROM generate_series(1, ${events}) i`,
    values,
  )
}

/** An audit row and a sign-in that were written so many days ago. */
export async function makeAudit(days: number, tenantId: string | null): Promise<string> {
  serial += 1
  const id = idAt(daysAgo(days).getTime()).slice(0, -12) + String(serial).padStart(12, '0')
  if (tenantId !== null)
    await stage.pool.query(
      `INSERT INTO audit_logs (tenant_id, id, action, resource, actor_type)
       VALUES ($1, $2, 'endpoint.create', 'endpoint', 'system')`,
      [tenantId, id],
    )
  await stage.pool.query(
    `INSERT INTO auth_audit_logs (tenant_id, id, event) VALUES ($1, $2, 'session.create')`,
    [tenantId, id],
  )
  return id
}

export async function auditRowsOf(id: string): Promise<number[]> {
  return await Promise.all(AUDIT_TABLES.map((name) => countRows(stage.pool, name, 'id = $1', [id])))
}

/** Rows of an event: itself, its delivery, its attempt, its idempotency key. */
export async function rowsOf(id: string): Promise<number[]> {
  const { pool } = stage
  return await Promise.all([
    countRows(pool, 'events', 'id = $1', [id]),
    countRows(pool, 'deliveries', 'event_id = $1', [id]),
    countRows(pool, 'attempts', 'event_id = $1', [id]),
    countRows(pool, 'idempotency_keys', 'event_id = $1', [id]),
  ])
}

export const ALL = [1, 1, 1, 1]
export const NONE = [0, 0, 0, 0]
export const WITHOUT_ATTEMPT = [1, 1, 0, 1]

export async function exists(name: string): Promise<boolean> {
  const { rows } = await stage.pool.query<{ found: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS found',
    [name],
  )
  return rows[0]?.found === true
}
