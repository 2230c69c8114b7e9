import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { idAt } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import pg from 'pg'
import { ensurePartitions } from './partitions.ts'
import { acceptEvents } from './pipeline/accept-events.ts'
import { replayEvents } from './pipeline/replay-events.ts'
import { applyRetention, type RetentionPosition } from './retention.ts'
import {
  attemptOf,
  countRows,
  directEvent,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
} from './store.fixture.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'

const DAY_MS = 86_400_000
const RULES = { defaultPlan: 'free' } as const
/** The plan of the tenants here keeps events for 7 days, attempts as well. */
const KEPT_DAYS = 7

let stage: TestStore
let tenant: Tenant
let serial = 0

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

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS)
}

function partitionOf(table: string, at: Date): string {
  return `${table}_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** An event that was accepted so many days ago. @param endedDaysAgo null: it has not ended */
async function makeEvent(days: number, endedDaysAgo: number | null, of = tenant): Promise<string> {
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

async function setDays(
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

const AUDIT_TABLES = ['audit_logs', 'auth_audit_logs'] as const

/** So many direct events of one day, each the first ids of the day, that ended on the next. */
async function fillDay(days: number, events: number): Promise<void> {
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
async function makeAudit(days: number, tenantId: string | null): Promise<string> {
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

async function auditRowsOf(id: string): Promise<number[]> {
  return await Promise.all(AUDIT_TABLES.map((name) => countRows(stage.pool, name, 'id = $1', [id])))
}

/** Rows of an event: itself, its delivery, its attempt, its idempotency key. */
async function rowsOf(id: string): Promise<number[]> {
  const { pool } = stage
  return await Promise.all([
    countRows(pool, 'events', 'id = $1', [id]),
    countRows(pool, 'deliveries', 'event_id = $1', [id]),
    countRows(pool, 'attempts', 'event_id = $1', [id]),
    countRows(pool, 'idempotency_keys', 'event_id = $1', [id]),
  ])
}

const ALL = [1, 1, 1, 1]
const NONE = [0, 0, 0, 0]
const WITHOUT_ATTEMPT = [1, 1, 0, 1]

async function exists(name: string): Promise<boolean> {
  const { rows } = await stage.pool.query<{ found: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS found',
    [name],
  )
  return rows[0]?.found === true
}

describe('days that nobody keeps', () => {
  test('go as a whole, with their idempotency keys; those with an event that has not ended, or ended lately, stay', async () => {
    await ensurePartitions(stage.pool, daysAgo(39))
    const [old, open, lately] = [
      await makeEvent(40, 39),
      await makeEvent(39, null),
      await makeEvent(38, KEPT_DAYS - 1),
    ]
    const { dropped } = await applyRetention(stage.pool, new Date(), RULES)
    for (const table of ['events', 'deliveries', 'attempts'])
      expect(dropped).toContain(partitionOf(table, daysAgo(40)))
    expect(await rowsOf(old)).toEqual(NONE)
    expect(await rowsOf(open)).toEqual([1, 1, 0, 1])
    expect(await rowsOf(lately)).toEqual(ALL)
    expect(await exists(partitionOf('events', daysAgo(39)))).toBe(true)
    expect(await exists(partitionOf('attempts', daysAgo(38)))).toBe(true)
    expect(await exists(partitionOf('events', daysAgo(1)))).toBe(true)
  })

  test('are looked into as a whole, however many rows they have', async () => {
    await ensurePartitions(stage.pool, daysAgo(33))
    // A page has 5,000 rows; the event that has not ended is on the last one.
    for (const days of [33, 32]) await fillDay(days, 10_001)
    const open = await makeEvent(32, null)
    await stage.pool.query(`UPDATE events SET ended_at = NULL WHERE id = $1`, [open])
    const { dropped } = await applyRetention(stage.pool, new Date(), RULES)
    const [all, some] = [daysAgo(33), daysAgo(32)]
    for (const table of ['events', 'deliveries']) {
      expect(dropped).toContain(partitionOf(table, all))
      expect(dropped).not.toContain(partitionOf(table, some))
    }
    expect(await rowsOf(open)).toEqual([1, 1, 0, 1])
    expect(await countRows(stage.pool, partitionOf('events', some), 'true', [])).toBe(1)
  }, 60_000)

  test('stay while a tenant keeps what is in them for longer, or for ever', async () => {
    await ensurePartitions(stage.pool, daysAgo(24))
    const keeper = await makeTenant(stage.pool)
    await setDays(keeper, 0, 0)
    const [kept, gone] = [await makeEvent(24, 23, keeper), await makeEvent(24, 23)]
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toEqual([])
    expect(await rowsOf(kept)).toEqual(ALL)
    expect(await rowsOf(gone)).toEqual(NONE)
  })

  test('what a killed process had taken out goes with the next', async () => {
    await ensurePartitions(stage.pool, daysAgo(26))
    const name = partitionOf('events', daysAgo(26))
    await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toContain(name)
    expect(await exists(name)).toBe(false)
  })

  test('what was taken out and must stay is put back', async () => {
    await ensurePartitions(stage.pool, daysAgo(13))
    const open = await makeEvent(13, null)
    const name = partitionOf('events', daysAgo(13))
    await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).not.toContain(name)
    expect(await countRows(stage.pool, 'events', 'id = $1', [open])).toBe(1)
  })

  test.each(['attached', 'taken out'])(
    'one that a killed process has closed takes rows again when it is kept for longer: %s',
    async (how) => {
      await ensurePartitions(stage.pool, daysAgo(14))
      const ended = await makeEvent(14, 13)
      const name = partitionOf('events', daysAgo(14))
      await stage.pool.query(`CREATE TRIGGER closed BEFORE INSERT ON ${name}
        FOR EACH ROW EXECUTE FUNCTION refuse_row()`)
      await expect(makeEvent(14, null)).rejects.toMatchObject({ code: '23514' })
      if (how === 'taken out') await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
      await setDays(await makeTenant(stage.pool), 0, 0)
      expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toEqual([])
      expect(await countRows(stage.pool, name, 'id = $1', [ended])).toBe(0)
      expect(await countRows(stage.pool, 'events', 'id = $1', [await makeEvent(14, null)])).toBe(1)
    },
  )

  test('one that a long transaction reads waits for the next time, and nobody waits for it', async () => {
    await ensurePartitions(stage.pool, daysAgo(12))
    const name = partitionOf('events', daysAgo(12))
    const reader = new pg.Client({ connectionString: stage.url })
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM events')
    const applied = applyRetention(stage.pool, new Date(), RULES)
    let ended = false
    void applied.then(() => (ended = true))
    let writes = 0
    let longestMs = 0
    while (!ended) {
      const elapsedMs = startLoopTime()
      await makeEvent(0, null)
      longestMs = Math.max(longestMs, elapsedMs())
      writes += 1
    }
    expect((await applied).dropped).not.toContain(name)
    expect(writes).toBeGreaterThan(1)
    expect(longestMs).toBeLessThan(2_000)
    await reader.query('COMMIT')
    await reader.end()
    await eventually(async () => {
      await applyRetention(stage.pool, new Date(), RULES)
      return !(await exists(name))
    })
  })
})

describe('shorter windows', () => {
  test('rows go one by one, each with all that belongs to it; attempts by days of their own', async () => {
    const longer = await makeTenant(stage.pool)
    await setDays(longer, 30, 30)
    await setDays(tenant, 3, 1)
    const [old, attemptOnly, fresh, open, others] = [
      await makeEvent(5, 4),
      await makeEvent(2, 2),
      await makeEvent(0, 0),
      await makeEvent(5, null),
      await makeEvent(5, 4, longer),
    ]
    const result = await applyRetention(stage.pool, new Date(), RULES)
    expect(result).toMatchObject({ events: 1, attempts: 2, next: null })
    expect(await rowsOf(old)).toEqual(NONE)
    expect(await rowsOf(attemptOnly)).toEqual(WITHOUT_ATTEMPT)
    expect(await rowsOf(fresh)).toEqual(ALL)
    expect(await rowsOf(open)).toEqual([1, 1, 0, 1])
    expect(await rowsOf(others)).toEqual(ALL)
  })

  test('an event that was replayed has not ended, and stays', async () => {
    const longer = await makeTenant(stage.pool)
    await setDays(longer, 30, 30)
    await setDays(tenant, 1, 1)
    const id = await makeEvent(5, 4)
    await replayEvents(stage.pool, tenant.tenantId, [id])
    await applyRetention(stage.pool, new Date(), RULES)
    expect(await rowsOf(id)).toEqual(ALL)
  })

  test('it stops at its limit, and goes on from there until every tenant had its turn', async () => {
    const longer = await makeTenant(stage.pool)
    await setDays(longer, 30, 30)
    const ids: string[] = []
    for (const days of [3, 1, 2]) {
      const of = await makeTenant(stage.pool)
      await setDays(of, days, days)
      ids.push(await makeEvent(5, 4, of))
    }
    const deleted: number[] = []
    for (let startAt: RetentionPosition | null = null; ; ) {
      const { events, next } = await applyRetention(stage.pool, new Date(), {
        ...RULES,
        maxBatches: 1,
        startAt,
      })
      if (events > 0) deleted.push(events)
      if (next === null) break
      expect(next).not.toEqual(startAt)
      startAt = next
    }
    expect(deleted).toEqual([1, 1, 1])
    for (const id of ids) expect(await rowsOf(id)).toEqual(NONE)
  })
})

describe('audit rows and sign-ins', () => {
  test('leave with their days, those of no workspace too, and beside longer windows one by one', async () => {
    await ensurePartitions(stage.pool, daysAgo(44))
    const [old, nobodys] = [await makeAudit(44, tenant.tenantId), await makeAudit(44, null)]
    const lately = await makeAudit(29, tenant.tenantId)
    // The plan of these tenants keeps both for 30 days.
    const { dropped } = await applyRetention(stage.pool, new Date(), RULES)
    for (const table of AUDIT_TABLES) expect(dropped).toContain(partitionOf(table, daysAgo(44)))
    expect(await auditRowsOf(old)).toEqual([0, 0])
    expect(await auditRowsOf(nobodys)).toEqual([0, 0])
    expect(await auditRowsOf(lately)).toEqual([1, 1])

    const longer = await makeTenant(stage.pool)
    await setDays(longer, null, null, 0)
    await setDays(tenant, null, null, 3)
    const [gone, kept, others] = [
      await makeAudit(4, tenant.tenantId),
      await makeAudit(2, tenant.tenantId),
      await makeAudit(29, longer.tenantId),
    ]
    const result = await applyRetention(stage.pool, new Date(), RULES)
    expect(result).toMatchObject({ auditLogs: 2, authAudit: 2, next: null })
    expect(await auditRowsOf(lately)).toEqual([0, 0])
    expect(await auditRowsOf(gone)).toEqual([0, 0])
    expect(await auditRowsOf(kept)).toEqual([1, 1])
    expect(await auditRowsOf(others)).toEqual([1, 1])
  })

  test('a sub-account keeps them for as long as its parent', async () => {
    const child = await makeTenant(stage.pool)
    await stage.pool.query('UPDATE tenants SET parent_id = $2 WHERE id = $1', [
      child.tenantId,
      tenant.tenantId,
    ])
    const longer = await makeTenant(stage.pool)
    await setDays(longer, null, null, 0)
    await setDays(tenant, 1, 1, 3)
    const [old, fresh] = [await makeAudit(4, child.tenantId), await makeAudit(2, child.tenantId)]
    const event = await makeEvent(4, 4, child)
    await applyRetention(stage.pool, new Date(), RULES)
    expect(await auditRowsOf(old)).toEqual([0, 0])
    expect(await auditRowsOf(fresh)).toEqual([1, 1])
    expect(await rowsOf(event)).toEqual(NONE)
    await stage.pool.query('UPDATE tenants SET parent_id = NULL WHERE id = $1', [child.tenantId])
  })
})

test('of two at once one does nothing', async () => {
  const client = new pg.Client({ connectionString: stage.url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock(461246132339)')
  await setDays(tenant, 1, 1)
  const id = await makeEvent(5, 4)
  await applyRetention(stage.pool, new Date(), RULES)
  expect(await rowsOf(id)).toEqual(ALL)
  await client.end()
})

test('what a shorter window than the longest keeps is at most two days late, and never early', async () => {
  const DAYS = { short: 2, long: 4 }
  const AGES = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]
  await ensurePartitions(stage.pool, daysAgo(7))
  const long = await makeTenant(stage.pool)
  await setDays(tenant, DAYS.short, DAYS.short, DAYS.short)
  await setDays(long, DAYS.long, DAYS.long, DAYS.long)
  // All other tenants of this file have none of their own, and would keep days for longer.
  await stage.pool.query(
    `INSERT INTO retention_settings (tenant_id, event_retention_days,
       delivery_attempt_retention_days, audit_log_retention_days, auth_audit_retention_days)
     SELECT id, 1, 1, 1, 1 FROM tenants ON CONFLICT DO NOTHING`,
  )
  const made: { age: number; days: number; id: string; audit: string }[] = []
  for (const age of AGES) {
    for (const [days, of] of [
      [DAYS.short, tenant],
      [DAYS.long, long],
    ] as const) {
      const [id, audit] = [await makeEvent(age, age, of), await makeAudit(age, of.tenantId)]
      made.push({ age, days, id, audit })
    }
  }
  await applyRetention(stage.pool, new Date(), RULES)
  for (const { age, days, id, audit } of made) {
    const left = [...(await rowsOf(id)), ...(await auditRowsOf(audit))]
    if (age < days) expect(left).toEqual([...ALL, 1, 1])
    if (age > days + 2) expect(left).toEqual([...NONE, 0, 0])
    // The shorter window waits for no day.
    if (age > days && days === DAYS.short) expect(left).toEqual([...NONE, 0, 0])
  }
})
