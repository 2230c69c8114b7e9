/**
 * Retention beside whatever could make something of an old day come open again, each at each step
 * of the other: either it is refused and all of the event goes, or it is done and nothing of the
 * event does.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { idAt, newId } from '@posthorn/domain/ids'
import { isLongForm } from '@posthorn/testing/long-form'
import { findBroken } from './invariants.fixture.ts'
import { acknowledge } from './pipeline/acknowledge.ts'
import { createReplay, replaySlice, takeReplay } from './pipeline/bulk-replays.ts'
import { fanOut, fanOutInOrder } from './pipeline/fan-out.ts'
import { acceptEvents } from './pipeline/accept-events.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'
import { editEvent, replayEvents } from './pipeline/replay-events.ts'
import { sweepDue } from './pipeline/sweep.ts'
import type { PoolClient } from 'pg'
import type { Pool } from './pool.ts'
import { applyRetention } from './retention.ts'
import {
  attemptOf,
  countRows,
  directEvent,
  dueRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  typedEvent,
} from './store.fixture.ts'

const DAY_MS = 86_400_000
const RULES = { defaultPlan: 'free' } as const
const OLD_DAYS = 40

let stage: TestStore
let tenant: Tenant
let endpointId: string
beforeAll(async () => {
  stage = await openTestStore()
})
beforeEach(async () => {
  tenant = await makeTenant(stage.pool)
  endpointId = newId()
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{}')`,
    [tenant.tenantId, endpointId, tenant.projectId],
  )
})
afterEach(async () => {
  for (const table of [
    'replays',
    'due',
    'attempts',
    'deliveries',
    'events',
    'lanes',
    'lane_waiting',
    'parked',
  ])
    await stage.pool.query(`DELETE FROM ${table}`)
})
afterAll(async () => {
  await stage.close()
})

function daysAgo(days: number): number {
  return Date.now() - days * DAY_MS
}

function oldId(days: number): string {
  return idAt(daysAgo(days)).slice(0, 14) + newId().slice(14)
}

/** A day's partitions, where there are none. */
async function makeDay(days: number): Promise<void> {
  const from = Math.floor(daysAgo(days) / DAY_MS) * DAY_MS
  const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '')
  for (const table of ['events', 'deliveries', 'attempts'])
    await stage.pool.query(`CREATE TABLE IF NOT EXISTS ${table}_${name} PARTITION OF ${table}
      FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}')`)
}

type Kind = 'direct' | 'by type' | 'in a lane'

interface Old {
  eventId: string
  deliveryId: string
}

/** An event that ended dead long before anybody keeps it. */
async function makeOld(kind: Kind, deliveryDays = OLD_DAYS): Promise<Old> {
  const eventId = oldId(OLD_DAYS)
  const more = { id: eventId }
  await acceptEvents(stage.pool, [
    kind === 'direct' ? directEvent(tenant, more) : typedEvent(tenant, more),
  ])
  const deliveryId = kind === 'direct' ? eventId : oldId(deliveryDays)
  const { tenantId } = tenant
  const deliveries = [
    { deliveryId, endpointId, ...(kind === 'in a lane' ? { lane: eventId } : {}) },
  ]
  if (kind === 'by type') await fanOut(stage.pool, [{ tenantId, eventId, deliveries }])
  if (kind === 'in a lane')
    await fanOutInOrder(stage.pool, tenantId, [{ tenantId, eventId, deliveries }])
  const due = await dueRow(stage.pool, deliveryId)
  const attempt = attemptOf(
    {
      ...tenant,
      eventId,
      deliveryId,
      endpointId: kind === 'direct' ? null : endpointId,
      targetId: endpointId,
      token: Number(due?.token ?? 0),
      priority: 5,
      seq: 0,
      attempts: 0,
    },
    { state: 'dead', reason: 'attempts used up' },
    { id: oldId(OLD_DAYS) },
  )
  const head = kind === 'in a lane' ? { lane: eventId, token: Number(due?.token ?? 0) } : null
  const { written } = await recordAttempts(stage.pool, [{ ...attempt, head }])
  expect(written).toHaveLength(1)
  for (const table of ['events', 'deliveries'])
    await stage.pool.query(`UPDATE ${table} SET ended_at = $2 WHERE id = $1`, [
      table === 'events' ? eventId : deliveryId,
      new Date(daysAgo(OLD_DAYS - 1)),
    ])
  return { eventId, deliveryId }
}

/** @returns whether something was queued again */
type Act = (pool: Pool, old: Old) => Promise<boolean>

const replay: Act = async (pool, { eventId }) =>
  (await replayEvents(pool, tenant.tenantId, [eventId])).eventIds.size > 0

const edit: Act = async (pool, { eventId }) =>
  (await editEvent(pool, tenant.tenantId, eventId, { payload: '{"n": 2}' }, true)).outcome ===
  'edited'

const bulk: Act = async (pool) => {
  await createReplay(pool, {
    ...tenant,
    id: newId(),
    endpointId,
    states: [STATE_CODE.dead, STATE_CODE.waiting],
    sinceMs: daysAgo(OLD_DAYS + 1),
    untilMs: daysAgo(OLD_DAYS - 1),
  })
  const replay = await takeReplay(pool)
  if (replay === null) throw new Error('there is no job to take')
  return ((await replaySlice(pool, replay))?.queued ?? 0) > 0
}

/**
 * Nothing of what it is about has ended: such a day is not taken out, and a dead delivery stays
 * dead.
 */
const acknowledgement: Act = async (pool, { eventId }) => {
  expect(await acknowledge(pool, { ...tenant, endpointId }, [eventId])).toEqual(new Set())
  return false
}

const ACTS: [string, Kind, number, Act][] = [
  ['a replay of a direct event', 'direct', OLD_DAYS, replay],
  ['a replay of an event by type', 'by type', OLD_DAYS, replay],
  ['a replay of one whose delivery is of another day', 'by type', OLD_DAYS - 1, replay],
  ['a replay in a lane', 'in a lane', OLD_DAYS, replay],
  ['an edit with a replay', 'direct', OLD_DAYS, edit],
  ['a bulk replay', 'by type', OLD_DAYS, bulk],
  ['an acknowledgement', 'by type', OLD_DAYS, acknowledgement],
]

/** Between these and the next nothing changes for anybody else. */
const PASSED_OVER = /^(SET|RESET|BEGIN|SELECT t\.id AS "tenantId")/

/** The pool with something to be waited for before each statement that does something. */
function steppedPool(pool: Pool, before: (step: number, sql: string) => Promise<void>): Pool {
  let step = 0
  type Query = (query: string | { text: string }, values?: unknown[]) => Promise<unknown>
  const stepped =
    (query: Query): Query =>
    async (asked, values) => {
      const sql = typeof asked === 'string' ? asked : asked.text
      if (!PASSED_OVER.test(sql)) {
        await before(step, sql)
        step += 1
      }
      return await query(asked, values)
    }
  return {
    query: stepped(pool.query.bind(pool) as Query),
    async connect() {
      const client = await pool.connect()
      const query = stepped(client.query.bind(client) as Query)
      return { query, release: (broken?: boolean) => client.release(broken) }
    },
  } as unknown as Pool
}

/**
 * Retention by somebody who waits for locks less long than others; rows that are locked make it
 * give up.
 */
async function retainBeside(): Promise<string[]> {
  const { pool } = stage
  async function connect(): Promise<PoolClient> {
    const client = await pool.connect()
    await client.query("SET lock_timeout = '50ms'")
    // Not for whoever comes next.
    return { query: client.query.bind(client), release: () => client.release(true) } as never
  }
  async function query(sql: string, values?: unknown[]): Promise<unknown> {
    const client = await connect()
    return await client.query(sql, values).finally(() => client.release())
  }
  try {
    return (await applyRetention({ query, connect } as never, new Date(), RULES)).dropped
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    return []
  }
}

/** Others at work: whoever sweeps what is due meanwhile. */
async function sweepAll({ deliveryId }: Old): Promise<void> {
  await passTime(stage.pool, [deliveryId])
  await sweepDue(stage.pool, 100)
}

/** But for attempts, which may have gone by themselves. */
async function expectNoneBroken(): Promise<void> {
  const broken = await findBroken(stage.pool)
  expect(broken.filter((what) => !/attempt/.test(JSON.stringify(what)))).toEqual([])
}

async function check(old: Old, isQueued: boolean): Promise<void> {
  await sweepAll(old)
  // Twice: what was put off for an hour is done by the second.
  for (let time = 0; time < 2; time += 1) await applyRetention(stage.pool, new Date(), RULES)
  const rows = [
    await countRows(stage.pool, 'events', 'id = $1 AND (open_count = 1) = $2', [
      old.eventId,
      isQueued,
    ]),
    await countRows(stage.pool, 'deliveries', 'id = $1 AND (state = 0) = $2', [
      old.deliveryId,
      isQueued,
    ]),
    await countRows(stage.pool, 'due', 'id = $1', [old.deliveryId]),
  ]
  expect(rows).toEqual(isQueued ? [1, 1, 1] : [0, 0, 0])
  await expectNoneBroken()
  await passTime(stage.pool, [old.deliveryId])
  const { deliveries } = await sweepDue(stage.pool, 100)
  expect(deliveries.some(({ deliveryId }) => deliveryId === old.deliveryId)).toBe(isQueued)
}

const MAX_STEPS = 120
/**
 * In the short form every eighth step, from another one on for each act: each step meets some of
 * them.
 */
const STRIDE = isLongForm ? 1 : 8

describe.each(ACTS)('%s', (name, kind, deliveryDays, act) => {
  const first = ACTS.findIndex(([one]) => one === name) % STRIDE

  async function makeScene(): Promise<Old> {
    await makeDay(OLD_DAYS)
    await makeDay(deliveryDays)
    return await makeOld(kind, deliveryDays)
  }

  test('at each step of retention', async () => {
    const outcomes = new Set<boolean>()
    for (let at = first; ; at += STRIDE) {
      expect(at).toBeLessThan(MAX_STEPS)
      const old = await makeScene()
      let isQueued: boolean | undefined
      const pool = steppedPool(stage.pool, async (step) => {
        if (step === at) isQueued = await act(stage.pool, old)
        if (step >= at) await sweepAll(old)
      })
      await applyRetention(pool, new Date(), RULES)
      if (isQueued === undefined) break
      outcomes.add(isQueued)
      await check(old, isQueued)
    }
    // The short form may pass over the few steps at which it comes out the other way.
    if (STRIDE === 1) expect(outcomes.size).toBe(act === acknowledgement ? 1 : 2)
  }, 120_000)

  test('with retention at each of its steps', async () => {
    for (let at = first; ; at += STRIDE) {
      expect(at).toBeLessThan(MAX_STEPS)
      const old = await makeScene()
      let met = false
      const pool = steppedPool(stage.pool, async (step) => {
        if (step !== at) return
        met = true
        await retainBeside()
        await sweepAll(old)
      })
      const isQueued = await act(pool, old)
      if (!met) break
      await check(old, isQueued)
    }
  }, 120_000)
})

test('a replay in the middle of its statement keeps its day from being taken out', async () => {
  await makeDay(OLD_DAYS)
  const old = await makeOld('direct')
  const blocker = await stage.pool.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT FROM events WHERE tenant_id = $1 FOR UPDATE', [tenant.tenantId])
  const replayed = replay(stage.pool, old)
  // It waits for the event's row: its delivery is queued again, and nobody can see that yet.
  for (let waits = 0; waits === 0; ) {
    const { rows } = await stage.pool.query<{ waits: number }>(
      `SELECT count(*)::int AS waits FROM pg_stat_activity
       WHERE wait_event_type = $1 AND datname = current_database()`,
      ['Lock'],
    )
    waits = rows[0]?.waits ?? 0
  }
  const dropped = await retainBeside()
  expect(dropped.filter((name) => !name.startsWith('attempts'))).toEqual([])
  await blocker.query('COMMIT')
  blocker.release()
  expect(await replayed).toBe(true)
  await check(old, true)
})

/** An event of now, whose delivery gets an id of the old day. */
async function fanOutIntoOldDay(): Promise<Old> {
  const [eventId, deliveryId] = [newId(), oldId(OLD_DAYS)]
  await acceptEvents(stage.pool, [typedEvent(tenant, { id: eventId })])
  const deliveries = [{ deliveryId, endpointId }]
  await fanOut(stage.pool, [{ tenantId: tenant.tenantId, eventId, deliveries }])
  return { eventId, deliveryId }
}

test('a delivery that a wrong clock gave its id is in no day that goes, at each step', async () => {
  const { pool } = stage
  const outcomes = new Set<boolean>()
  for (let at = 0; ; at += isLongForm ? 1 : 3) {
    expect(at).toBeLessThan(MAX_STEPS)
    await makeDay(OLD_DAYS)
    await makeOld('by type')
    let made: Old | 'refused' | undefined
    const stepped = steppedPool(pool, async (step) => {
      if (step === at)
        made = await fanOutIntoOldDay().catch((error: { code?: string }) => {
          expect(error.code).toBe('23514')
          return 'refused' as const
        })
      if (typeof made === 'object') await sweepAll(made)
    })
    await applyRetention(stepped, new Date(), RULES)
    if (made === undefined) break
    outcomes.add(made === 'refused')
    if (made !== 'refused') {
      const rows = [
        await countRows(pool, 'deliveries', 'id = $1 AND state = 0', [made.deliveryId]),
        await countRows(pool, 'due', 'id = $1', [made.deliveryId]),
      ]
      expect([at, rows]).toEqual([at, [1, 1]])
      // A day that is kept takes rows again.
      await fanOutIntoOldDay()
    }
    // An event that was refused waits, and is fanned out when the clock is right again.
    await expectNoneBroken()
    for (const table of ['due', 'attempts', 'deliveries', 'events'])
      await pool.query(`DELETE FROM ${table}`)
  }
  expect(outcomes).toEqual(new Set([true, false]))
}, 120_000)
