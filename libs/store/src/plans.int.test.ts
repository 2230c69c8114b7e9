/**
 * How Postgres carries out the pipeline's hot statements: by the key, in one partition each, and in place (HOT). A plan is
 * cached with the connection, so what is chosen while a table is small must still be right when it is large.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type pg from 'pg'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { idAt, newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { ensurePartitions } from './partitions.ts'
import { acceptEvents, type NewEvent } from './pipeline/accept-events.ts'
import { readDeadEvents } from './pipeline/accept-notices.ts'
import { acknowledge } from './pipeline/acknowledge.ts'
import { cancelDeliveries } from './pipeline/end-deliveries.ts'
import { fanOut, fanOutInOrder, readWaitingEvents } from './pipeline/fan-out.ts'
import { parkDeliveries, takeBacklog, takeParked } from './pipeline/hold.ts'
import { beginTries, renewLeases } from './pipeline/leases.ts'
import {
  type EndingVisibility,
  endVisibility,
  fetchVisible,
  findVisible,
  type PollTarget,
} from './pipeline/poll.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'
import { loadPayloads, loadWork, sweepDue } from './pipeline/sweep.ts'
import type { Pool } from './pool.ts'
import {
  attemptOf,
  directEvent,
  makeTenant,
  openStage,
  type Stage,
  type Tenant,
  typedEvent,
  type Work,
} from './store.fixture.ts'

let stage: Stage
let tenant: Tenant
let client: pg.PoolClient
/** All on one connection, as a pool's connection would see them. */
let pool: Pool
const plans: string[] = []
/** Making a partition reads it once. */
let scansToMake: number[] = []

beforeAll(async () => {
  stage = await openStage()
  tenant = await makeTenant(stage.pool)
  await connect()
  await fillDays()
  scansToMake = (await read()).map(({ scans }) => scans)
})
afterAll(async () => {
  client.release(true)
  await stage.close()
})

/** Anew: what was planned before is forgotten. */
async function connect(): Promise<void> {
  client = await stage.pool.connect()
  const query = client.query.bind(client)
  pool = { query, connect: async () => ({ query, release() {} }) } as unknown as Pool
  client.on('notice', (notice) => plans.push(notice.message ?? ''))
  await client.query("LOAD 'auto_explain'")
  for (const setting of [
    'log_analyze = on',
    'log_timing = off',
    'log_level = notice',
    'log_format = text',
  ]) {
    await client.query(`SET auto_explain.${setting}`)
  }
}

/** Days behind, each with rows of another tenant: a table that has been in use for three weeks. */
async function fillDays(): Promise<void> {
  const now = Date.now()
  for (const days of [5, 19]) await ensurePartitions(client, new Date(now - days * DAY_MS))
  for (let days = 2; days <= 20; days += 1) {
    const ids = [newId(), newId()].map(
      (id) => idAt(now - days * DAY_MS).slice(0, 13) + id.slice(13),
    )
    await client.query(
      `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id, fanned_out_at, ended_at)
       SELECT $1, id, $2, id, '{}', 5, '', now(), now() FROM unnest($3::uuid[]) id`,
      [newId(), tenant.projectId, ids],
    )
    await client.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, target_id, seq, priority, state)
       SELECT $1, id, id, id, 1, 5, 3 FROM unnest($2::uuid[]) id`,
      [newId(), ids],
    )
  }
}

function works(events: readonly NewEvent[], tokens: readonly number[]): Work[] {
  return events.map((event, at) => ({
    ...tenant,
    eventId: event.id,
    deliveryId: event.id,
    endpointId: null,
    targetId: event.targetId ?? '',
    token: tokens[at] ?? 0,
    priority: 5,
    seq: at,
    tries: 0,
  }))
}

async function accept(count: number): Promise<Work[]> {
  const events = Array.from({ length: count }, () => directEvent(tenant))
  const outcomes = await acceptEvents(pool, events)
  return works(
    events,
    outcomes.map((outcome) => (outcome.outcome === 'accepted' ? outcome.token : 0)),
  )
}

async function acceptTyped(count: number): Promise<{ tenantId: string; eventId: string }[]> {
  const events = Array.from({ length: count }, () => typedEvent(tenant))
  await acceptEvents(pool, events)
  return events.map(({ id }) => ({ tenantId: tenant.tenantId, eventId: id }))
}

function held(work: Work): { tenantId: string; eventId: string; id: string; token: number } {
  const { tenantId, eventId, deliveryId: id, token } = work
  return { tenantId, eventId, id, token }
}

const ROWS = 12
const MANY = 10_000
const DAY_MS = 86_400_000

/**
 * Those that still look for a row of an id which they find only on the way, and so name all partitions, to run in one:
 * they go with what a consumer or the end of a lane's head asks for, not with each event.
 */
const FIND_ON_THE_WAY = [
  'take',
  'recordHeads',
  'cancelLane',
  'fetchVisible',
  'acknowledge',
  'endVisibility',
]

/** Each statement of the hot path, to be run as often as one likes. */
const STATEMENTS: Record<string, () => Promise<() => Promise<unknown>>> = {
  async accept() {
    return async () => await accept(ROWS)
  },
  async duplicates() {
    const events = Array.from({ length: ROWS }, () => directEvent(tenant))
    await acceptEvents(pool, events)
    return async () =>
      await acceptEvents(
        pool,
        events.map((event) => ({ ...event, id: newId() })),
      )
  },
  async readWaiting() {
    const waiting = await acceptTyped(ROWS)
    return async () => await readWaitingEvents(pool, waiting)
  },
  async fanOut() {
    const waiting = await acceptTyped(ROWS)
    return async () =>
      await fanOut(
        pool,
        waiting.map((event) => ({
          ...event,
          deliveries: [{ deliveryId: newId(), endpointId: newId() }],
        })),
      )
  },
  async loadWork() {
    const made = await accept(ROWS)
    return async () => await loadWork(pool, made.map(held))
  },
  async deadEvents() {
    const made = await accept(ROWS)
    return async () => await readDeadEvents(pool, made)
  },
  async renew() {
    const made = await accept(ROWS)
    return async () => await renewLeases(pool, made.map(held))
  },
  async begin() {
    const made = await accept(ROWS)
    return async () => await beginTries(pool, made.map(held))
  },
  async record() {
    const made = await accept(ROWS)
    return async () =>
      await recordAttempts(
        pool,
        made.map((work) => attemptOf(work, { state: 'waiting', afterMs: 60_000 })),
      )
  },
  async cancel() {
    const made = await accept(ROWS)
    return async () =>
      await cancelDeliveries(
        pool,
        made.map(({ tenantId, eventId, deliveryId }) => ({
          tenantId,
          eventId,
          deliveryId,
          reason: 'x',
        })),
      )
  },
  async park() {
    const made = await accept(ROWS)
    return async () => await parkDeliveries(pool, made)
  },
  async take() {
    const destination = `https://example.com/${newId()}`
    const targetId = newId()
    const events = Array.from({ length: ROWS }, () =>
      directEvent(tenant, { destination, targetId }),
    )
    const outcomes = await acceptEvents(pool, events)
    const tokens = outcomes.map((outcome) => (outcome.outcome === 'accepted' ? outcome.token : 0))
    const [backlog] = await parkDeliveries(pool, works(events, tokens))
    if (backlog === undefined) throw new Error('no backlog was made')
    const taken = await takeBacklog(pool, { v: 1, kind: 'backlog', ...backlog })
    if (taken === null) throw new Error('the backlog was not taken')
    return async () => await takeParked(pool, taken, ROWS)
  },
  async sweep() {
    const made = await accept(ROWS)
    await client.query(
      `UPDATE due SET due_at = now() - interval '1 second' WHERE id = ANY ($1::uuid[])`,
      [made.map(({ deliveryId }) => deliveryId)],
    )
    return async () => await sweepDue(pool, 100)
  },
  async loadPayloads() {
    const made = await accept(ROWS)
    return async () => await loadPayloads(pool, made)
  },
  async fanOutInOrder() {
    await acceptTyped(ROWS)
    return async () => await lineUp(newId(), ROWS)
  },
  async recordHeads() {
    await acceptTyped(2 * ROWS)
    const heads = await lineUp(newId(), 2 * ROWS, ROWS)
    return async () => {
      const { released } = await recordAttempts(
        pool,
        heads.map((head) => ({
          ...attemptOf({ ...head, targetId: head.endpointId ?? '' }, { state: 'delivered' }),
          head: { lane: head.lane ?? '', token: head.token },
        })),
      )
      expect(released).toHaveLength(ROWS)
    }
  },
  async cancelLane() {
    await acceptTyped(ROWS)
    const [head] = await lineUp(newId(), ROWS, 1)
    const { tenantId, deliveryId, endpointId, lane, token } = head as DueDelivery
    const where = { endpointId: endpointId ?? '', lane: lane ?? '', token, whole: true }
    return async () =>
      await cancelDeliveries(pool, [{ tenantId, deliveryId, reason: 'x', head: where }])
  },
  async fetchVisible() {
    const target = await makePolled(ROWS)
    return async () => await fetchVisible(pool, target, ROWS, 30_000)
  },
  async findVisible() {
    const target = await makePolled(1)
    return async () => await findVisible(pool, [target])
  },
  async acknowledge() {
    const target = await makePolled(ROWS)
    const fetched = await fetchVisible(pool, target, ROWS, 30_000)
    return async () =>
      await acknowledge(
        pool,
        target,
        fetched.map(({ id }) => id),
      )
  },
  async endVisibility() {
    const target = await makePolled(ROWS)
    await fetchVisible(pool, target, ROWS, 30_000)
    const { rows } = await client.query<EndingVisibility>(
      `SELECT tenant_id AS "tenantId", id, micros(due_at) AS token FROM due WHERE target_id = $1`,
      [target.endpointId],
    )
    return async () => await endVisibility(pool, rows)
  },
}

/** Of the tenant's oldest events a delivery each, in as many lanes. @returns their heads */
async function lineUp(endpointId: string, events: number, lanes = events): Promise<DueDelivery[]> {
  const { tenantId } = tenant
  const tokens = await fanOutInOrder(pool, tenantId, events, async (oldest) =>
    oldest.map(({ id }, at) => ({
      tenantId,
      eventId: id,
      deliveries: [{ deliveryId: newId(), endpointId, lane: String(at % lanes) }],
    })),
  )
  return await loadWork(
    pool,
    [...tokens].map(([id, token]) => ({ tenantId, id, token: token ?? 0 })),
  )
}

/** An endpoint in poll mode with something to fetch. */
async function makePolled(count: number): Promise<PollTarget> {
  const endpointId = newId()
  const { tenantId } = tenant
  await client.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{"deliveryMode": "poll"}')`,
    [tenantId, endpointId, tenant.projectId],
  )
  const waiting = await acceptTyped(count)
  await fanOut(
    pool,
    waiting.map((event) => ({ ...event, deliveries: [{ deliveryId: newId(), endpointId }] })),
  )
  return { tenantId, endpointId }
}

/** Lines of scans of real tables that were run; those of partitions that were pruned say `never executed`. */
function scansOf(plan: string): string[] {
  const scan =
    /^\s*->\s+.*\bScan\b.*\bon (events|deliveries|attempts|due|parked|backlogs|lanes|lane_waiting|idempotency_keys)/
  return plan.split('\n').filter((line) => scan.test(line) && !line.includes('never executed'))
}

async function planOf(name: string): Promise<string> {
  const prepare = STATEMENTS[name] as () => Promise<() => Promise<unknown>>
  // Six times, and the plan is no longer made for each call.
  for (let time = 0; time < 6; time += 1) await (await prepare())()
  const run = await prepare()
  plans.length = 0
  await client.query('SET auto_explain.log_min_duration = 0')
  await run()
  await client.query('SET auto_explain.log_min_duration = -1')
  return plans.filter((plan) => !plan.includes('auto_explain')).join('\n')
}

test.each(Object.keys(STATEMENTS))(
  '%s: by the key, and each row in its own day alone',
  async (name) => {
    // The tables hold a handful of rows: the planner is tempted.
    const shown = await planOf(name)
    expect(shown).toContain('actual rows')
    expect(shown).not.toMatch(/Seq Scan/)
    // Pruned at the start of a cached plan, an UPDATE may lose what it meets: see days.ts.
    expect(shown).not.toMatch(/Subplans Removed/)
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    for (const line of scansOf(shown)) {
      const partition = /\bon ((?:events|deliveries|attempts)_(\d{8}))/.exec(line)
      // A day may end while this runs: the rows' own day is the only one that is read.
      if (partition !== null)
        expect([line, Math.abs(Number(partition[2]) - Number(today)) <= 1]).toEqual([line, true])
      expect(line).toMatch(/(Index|Index Only|Tid) Scan/)
    }
    // Neither read nor even considered: a partition that is passed over at run time costs 10 us and four locks all the same.
    const days = [...shown.matchAll(/\bon (?:events|deliveries|attempts)_(\d{8})/g)].map(
      ([, day]) => day,
    )
    if (!FIND_ON_THE_WAY.includes(name)) expect(new Set(days).size).toBeLessThanOrEqual(2)
    const whole = shown
      .split('\n')
      .filter(
        (line, at, lines) =>
          /Index (Only )?Scan using \w+pkey/.test(line) && !/Index Cond/.test(lines[at + 1] ?? ''),
      )
    expect(whole.filter((line) => scansOf(line).length > 0)).toEqual([])
  },
)

test('a burst: no sequential scan, and the updates of events and deliveries are HOT', async () => {
  const before = await read()
  for (let round = 0; round < 12; round += 1) {
    const made = await accept(100)
    await recordAttempts(
      pool,
      made.map((work) => attemptOf(work, { state: 'delivered' })),
    )
  }
  const since = (at: number, now: Usage[]): number =>
    (now[at]?.updates ?? 0) - (before[at]?.updates ?? 0)
  await eventually(async () => {
    const now = await read()
    return since(0, now) >= 1_200 && since(1, now) >= 1_200
  })
  for (const [at, { table, hot, scans }] of (await read()).entries()) {
    const share = (hot - (before[at]?.hot ?? 0)) / 1_200
    expect([table, share > 0.9]).toEqual([table, true])
    expect([table, scans - (scansToMake[at] ?? 0)]).toEqual([table, 0])
  }
})

describe.each(['without statistics', 'with statistics of before'])(
  'a busy day, %s',
  (statistics) => {
    beforeAll(async () => {
      const prefix = idAt(Date.now() - 600_000).slice(0, 13)
      const ids = `SELECT ($2 || substr(gen_random_uuid()::text, 14))::uuid AS id FROM generate_series(1, ${MANY})`
      await client.query(
        `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id, fanned_out_at)
       SELECT $1, id, $3, id, '{}', 5, '', now() FROM (${ids})`,
        [tenant.tenantId, prefix, tenant.projectId],
      )
      await client.query(
        `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
       SELECT $1, id, gen_random_uuid(), gen_random_uuid(), id, 1, 5 FROM (${ids})`,
        [tenant.tenantId, prefix],
      )
      await client.query(
        `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
       SELECT tenant_id, id, 1, now() + interval '1 hour', true, target_id FROM deliveries WHERE tenant_id = $1
       ON CONFLICT DO NOTHING`,
        [tenant.tenantId],
      )
      if (statistics !== 'without statistics') await client.query('ANALYZE')
      client.release(true)
      await connect()
    })

    test.each(Object.keys(STATEMENTS))('%s: nothing but its own rows is read', async (name) => {
      const shown = await planOf(name)
      expect(shown).toContain('actual rows')
      const counts = [...shown.matchAll(/(?:actual rows=|Rows Removed by \w+(?: \w+)?: )(\d+)/g)]
      expect(Math.max(...counts.map(([, count]) => Number(count)))).toBeLessThan(MANY / 10)
    })
  },
)

interface Usage {
  table: string
  updates: number
  hot: number
  scans: number
}

async function read(): Promise<Usage[]> {
  await client.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await client.query<Usage>(
    `SELECT split_part(relname, '_', 1) AS table, sum(n_tup_upd)::int AS updates, sum(n_tup_hot_upd)::int AS hot,
       sum(seq_scan)::int AS scans
     FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|events)_\\d' GROUP BY 1 ORDER BY 1`,
  )
  return rows
}
