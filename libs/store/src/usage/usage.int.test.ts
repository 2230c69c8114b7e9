/** Counting over processes that come and go, and the recount of a day that is over. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { EventSource } from '@posthorn/domain/event-source'
import { idAt, newId } from '@posthorn/domain/ids'
import { dayOf, dayText, monthOf, startOfDay } from '@posthorn/domain/usage-period'
import { ensurePartitions } from '../partitions.ts'
import { acceptEvents } from '../pipeline/accept-events.ts'
import { applyRetention } from '../retention.ts'
import {
  directEvent,
  makeTenant,
  openTestStore,
  type Tenant,
  type TestStore,
} from '../store.fixture.ts'
import { type RecountResult, recountUsage } from './recount-usage.ts'
import { createUsageMeter, type UsageMeter } from './usage-meter.ts'
import { readUsageHistory, readUsed } from './usage-rows.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Midnight may pass while this runs. */
const TODAY = dayOf(Date.now())

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
  for (const days of [2, 4, 9])
    await ensurePartitions(stage.pool, new Date(Date.now() - days * DAY_MS))
})
afterAll(async () => await stage.close())
afterEach(async () => {
  await stage.pool.query(
    `DELETE FROM usage_days; DELETE FROM usage_recounts; DELETE FROM events; DELETE FROM attempts;
     DELETE FROM idempotency_keys`,
  )
})

function newMeter(now: () => number = Date.now): UsageMeter {
  return createUsageMeter({
    pool: stage.pool,
    now,
    log: {
      warn: (_, { error }) => {
        throw error
      },
    },
  })
}

/** An id of the day that began so many days ago, in its middle. */
function onDay(daysAgo: number): string {
  const middle = startOfDay(TODAY - daysAgo).getTime() + DAY_MS / 2
  return idAt(middle).slice(0, 13) + newId().slice(13)
}

/** The instant so many hours after the end of that day. */
function afterDay(daysAgo: number, hours: number): Date {
  return new Date(startOfDay(TODAY - daysAgo + 1).getTime() + hours * HOUR_MS)
}

async function accept(
  tenant: Tenant,
  daysAgo: number,
  source: EventSource = 'api',
): Promise<{ tenantId: string; id: string }> {
  const event = directEvent(tenant, { id: onDay(daysAgo), source })
  expect(await acceptEvents(stage.pool, [event])).toMatchObject([{ outcome: 'accepted' }])
  return event
}

/** What is told of a day, by the same rule as of a month. */
async function usedOn(tenantId: string, daysAgo: number): Promise<number> {
  const day = TODAY - daysAgo
  const month = monthOf(startOfDay(day).getTime())
  const others = 'DELETE FROM usage_days WHERE tenant_id = $1 AND day <> $2'
  await stage.pool.query(others, [tenantId, dayText(day)])
  const used = await readUsed(stage.pool, [{ tenantId, month }])
  return used.get(tenantId) ?? 0
}

/** From the events themselves. */
async function eventsOn(tenantId: string, daysAgo: number): Promise<number> {
  const day = TODAY - daysAgo
  const { rows } = await stage.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND id >= $2 AND id < $3
       AND source IN ('api', 'batch', 'inbound')`,
    [tenantId, idAt(startOfDay(day).getTime()), idAt(startOfDay(day + 1).getTime())],
  )
  return rows[0]?.count ?? -1
}

describe('during a day', () => {
  test('what two processes count adds up, and each reads the other within a round', async () => {
    const tenant = await makeTenant(stage.pool)
    const [one, two] = [newMeter(), newMeter()]
    expect(await one.quotaExceeded(tenant.tenantId, 5, 1)).toBeNull()
    for (let n = 0; n < 3; n += 1) one.eventAccepted(await accept(tenant, 0))
    await one.flush()
    // This process had never seen the tenant.
    expect(await two.quotaExceeded(tenant.tenantId, 3, 1)).toMatchObject({ limit: 3, used: 3 })
    for (let n = 0; n < 2; n += 1) two.eventAccepted(await accept(tenant, 0))
    await two.flush()
    expect(one.quotaExceeded(tenant.tenantId, 5, 1)).toBeNull()
    await one.flush()
    const month = monthOf(Date.now())
    expect(one.quotaExceeded(tenant.tenantId, 5, 1)).toEqual({
      limit: 5,
      used: 5,
      resetsAt: new Date(Date.UTC(1970, month + 1)).toISOString(),
    })
    expect(one.quotaExceeded(tenant.tenantId, 6, 1)).toBeNull()
    expect(one.quotaExceeded(tenant.tenantId, 6, 2)).toMatchObject({ used: 5 })
    expect(one.quotaExceeded(tenant.tenantId, 0, 100)).toBeNull()
  })

  test('events of this process count at once', async () => {
    const tenant = await makeTenant(stage.pool)
    const meter = newMeter()
    await meter.quotaExceeded(tenant.tenantId, 2, 1)
    for (let n = 0; n < 2; n += 1) meter.eventAccepted(await accept(tenant, 0))
    expect(meter.quotaExceeded(tenant.tenantId, 2, 1)).toMatchObject({ used: 2 })
  })

  test('many that ask at once about tenants that are not known share a round', async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => makeTenant(stage.pool)))
    const meter = newMeter()
    const answers = await Promise.all(
      tenants.flatMap(({ tenantId }) => [
        meter.quotaExceeded(tenantId, 1, 1),
        meter.quotaExceeded(tenantId, 1, 2),
      ]),
    )
    expect(answers.filter((answer) => answer === null)).toHaveLength(20)
  })

  test('while Postgres is away nobody is refused, and what was counted is written later', async () => {
    const tenant = await makeTenant(stage.pool)
    let isAway = true
    const failing = {
      query: async (...given: unknown[]) => {
        if (isAway) throw new Error('away')
        return await (stage.pool.query as (...all: unknown[]) => Promise<unknown>)(...given)
      },
    }
    const pool = failing as unknown as TestStore['pool']
    const meter = createUsageMeter({ pool, now: Date.now, log: { warn: () => undefined } })
    expect(await meter.quotaExceeded(tenant.tenantId, 1, 1)).toBeNull()
    meter.eventAccepted(await accept(tenant, 0))
    await expect(meter.flush()).rejects.toThrow('away')
    isAway = false
    await meter.flush()
    expect(meter.quotaExceeded(tenant.tenantId, 1, 1)).toMatchObject({ used: 1 })
  })
})

/** Counts every day that is over; partitions of many days were made for these tests. */
async function recount(now: Date): Promise<RecountResult> {
  return await recountUsage(stage.pool, now, 100)
}

describe('the recount of a day that is over', () => {
  test('processes that are killed at any moment lose nothing, and count nothing twice', async () => {
    const tenants = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
    let seed = 11
    const below = (bound: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * bound)
    }
    let meter = newMeter()
    for (let step = 0; step < 150; step += 1) {
      const tenant = tenants[below(2)] as Tenant
      const source = (['api', 'batch', 'inbound', 'test', 'notice'] as const)[
        below(5)
      ] as EventSource
      const event = await accept(tenant, 1, source)
      // Killed after the commit and before it is counted, or after that and before it is written.
      const isCounted = below(5) > 0
      if (isCounted && !['test', 'notice'].includes(source)) meter.eventAccepted(event)
      if (below(6) === 0) await meter.flush()
      if (below(9) === 0) meter = newMeter()
      if (step % 50 === 49) {
        await recount(afterDay(1, 1))
        for (const { tenantId } of tenants) {
          expect(await usedOn(tenantId, 1)).toBe(await eventsOn(tenantId, 1))
        }
      }
    }
    // Whatever is still running writes what it has, late.
    await meter.flush()
    await recount(afterDay(1, 2))
    await recount(afterDay(1, 2))
    for (const { tenantId } of tenants) {
      expect(await usedOn(tenantId, 1)).toBe(await eventsOn(tenantId, 1))
      expect(await eventsOn(tenantId, 1)).toBeGreaterThan(20)
    }
  })

  test('a day is counted an hour after its end, and its attempts with it', async () => {
    const tenant = await makeTenant(stage.pool)
    await accept(tenant, 1)
    await stage.pool.query(
      `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
         status_code, error, duration_ms, overhead_us, response_body)
       SELECT $1, $2, $3, $2, $2, '', 1, 200, '', 1, 1, ''`,
      [tenant.tenantId, onDay(1), tenant.projectId],
    )
    expect((await recount(afterDay(1, 0.9))).days).not.toContain(dayText(TODAY - 1))
    expect(await usedOn(tenant.tenantId, 1)).toBe(0)
    await recount(afterDay(1, 1))
    const month = monthOf(afterDay(1, -1).getTime())
    expect(
      await readUsageHistory(stage.pool, tenant.tenantId, { first: month, last: month }),
    ).toEqual([{ month, events: 1, attempts: 1 }])
  })

  test('events that the version before wrote count, except its tests and operational events', async () => {
    const tenant = await makeTenant(stage.pool)
    for (const idempotencyKey of ['order-1', 'inbound:x:y', 'test:1', 'service.event.dead:1'])
      await acceptEvents(stage.pool, [directEvent(tenant, { id: onDay(1), idempotencyKey })])
    await stage.pool.query('UPDATE events SET source = NULL')
    await recount(afterDay(1, 1))
    expect(await usedOn(tenant.tenantId, 1)).toBe(2)
  })

  test('what a sub-account uses counts on its parent', async () => {
    const [parent, child] = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
    await stage.pool.query('UPDATE tenants SET parent_id = $1 WHERE id = $2', [
      parent.tenantId,
      child.tenantId,
    ])
    await accept(parent, 1)
    await accept(child, 1)
    await recount(afterDay(1, 1))
    expect(await usedOn(parent.tenantId, 1)).toBe(2)
  })

  test('a process that wrote late is believed only as far as the events tell', async () => {
    const tenant = await makeTenant(stage.pool)
    const meter = newMeter()
    meter.eventAccepted(await accept(tenant, 1))
    await recount(afterDay(1, 1))
    await meter.flush()
    expect(await usedOn(tenant.tenantId, 1)).toBe(1)
    meter.eventAccepted(await accept(tenant, 1))
    await meter.flush()
    await recount(afterDay(1, 2))
    expect(await usedOn(tenant.tenantId, 1)).toBe(2)
  })

  test('retention removes nothing before it is counted for good, and what is counted stays', async () => {
    const tenant = await makeTenant(stage.pool)
    await stage.pool.query(
      `INSERT INTO retention_settings (tenant_id, event_retention_days,
         delivery_attempt_retention_days) VALUES ($1, 1, 1)`,
      [tenant.tenantId],
    )
    await accept(tenant, 3)
    await stage.pool.query(`UPDATE events SET fanned_out_at = now(), open_count = 0,
      ended_at = now() - interval '4 days'`)
    const early = await recount(afterDay(3, 24))
    await applyRetention(stage.pool, new Date(), { defaultPlan: 'free', ...early })
    expect(await eventsOn(tenant.tenantId, 3)).toBe(1)
    const late = await recount(afterDay(3, 25))
    await applyRetention(stage.pool, new Date(), { defaultPlan: 'free', ...late })
    expect(await eventsOn(tenant.tenantId, 3)).toBe(0)
    // A row that a frozen process writes now does not make the empty day be counted.
    const meter = newMeter()
    meter.eventAccepted({ tenantId: tenant.tenantId, id: onDay(3) })
    await meter.flush()
    await recount(new Date(Date.now() + DAY_MS))
    expect(await usedOn(tenant.tenantId, 3)).toBe(1)
  })

  test('it goes on where it stopped, and nothing is removed meanwhile', async () => {
    const tenant = await makeTenant(stage.pool)
    for (const daysAgo of [2, 3, 4]) await accept(tenant, daysAgo)
    const now = afterDay(1, 2)
    const first = await recountUsage(stage.pool, now, 1)
    expect(first.more).toBe(true)
    expect(first.countedUntil.getTime()).toBeLessThan(afterDay(2, 0).getTime())
    const rest = await recountUsage(stage.pool, now, 100)
    expect(rest).toMatchObject({ more: false, countedUntil: afterDay(2, 0) })
  })
})
