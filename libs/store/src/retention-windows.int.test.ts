import { beforeEach, describe, expect, test } from '@jest/globals'
import { ensurePartitions } from './partitions.ts'
import { replayEvents } from './pipeline/replay-events.ts'
import { applyRetention, type RetentionPosition } from './retention.ts'
import {
  ALL,
  AUDIT_TABLES,
  NONE,
  RULES,
  WITHOUT_ATTEMPT,
  auditRowsOf,
  daysAgo,
  makeAudit,
  makeEvent,
  openRetentionStage,
  partitionOf,
  rowsOf,
  setDays,
  stage,
  tenant,
} from './retention.fixture.ts'
import { makeTenant } from './store.fixture.ts'

openRetentionStage()
beforeEach(async () => await ensurePartitions(stage.pool, daysAgo(7)))

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
    for (const days of [44, 29]) await ensurePartitions(stage.pool, daysAgo(days))
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
