/**
 * Each two statements that may meet in one delivery, the second while the first is not committed:
 * wherever the delivery waited before, while it is open it waits somewhere afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import type { Pool } from '../pool.ts'
import {
  acceptDirect,
  acceptTyped,
  attemptOf,
  dueRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestDelivery,
  type TestStore,
  type Tenant,
  typedEvent,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { acknowledge } from './acknowledge.ts'
import { type OwnedBacklog, parkDeliveries, takeBacklog, takeParked } from './backlogs.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { eraseEvents } from './erase-events.ts'
import { expireParked } from './expire-parked.ts'
import { fanOutInOrder } from './fan-out.ts'
import { showParked } from './follow-mode.ts'
import { repairLanes } from './lanes.ts'
import { fetchVisible } from './poll.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'
import { beginAttempts } from './renew-leases.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  await stage.close()
})

/** A delivery and what its dispatcher knows of it. */
interface Meeting {
  work: TestDelivery
  /** The lane that it is in; absent: none. */
  lane?: string
  /** Another delivery, in the same lane. */
  behind?: string
  /** The backlog of its target; null: nothing has been parked there. */
  backlog: OwnedBacklog | null
}

const OLD = `now() - interval '40 days'`
const WAITING = { state: 'waiting', afterMs: 60_000 } as const

type Operation = (pool: Pool, meeting: Meeting) => Promise<unknown>

async function take(pool: Pool, { backlog }: Meeting): Promise<void> {
  if (backlog !== null) await takeParked(pool, backlog, 10)
}
const park: Operation = (pool, { work }) => parkDeliveries(pool, [work])
function headOf({ work, lane }: Meeting): AttemptRecord['head'] {
  return lane === undefined ? null : { lane, token: work.token }
}
const record: Operation = (pool, meeting) =>
  recordAttempts(pool, [attemptOf(meeting.work, WAITING, { head: headOf(meeting) })])
const deliver: Operation = (pool, meeting) =>
  recordAttempts(pool, [attemptOf(meeting.work, { state: 'delivered' }, { head: headOf(meeting) })])
const begin: Operation = (pool, { work }) =>
  beginAttempts(pool, [{ tenantId: work.tenantId, id: work.deliveryId, token: work.token }])
const cancel: Operation = (pool, meeting) => {
  const { tenantId, deliveryId, targetId } = meeting.work
  const head = headOf(meeting)
  const cancelled = { tenantId, deliveryId, reason: 'endpoint deleted' }
  if (head === null || head === undefined) return cancelDeliveries(pool, [cancelled])
  const whole = { ...head, endpointId: targetId, whole: false }
  return cancelDeliveries(pool, [{ ...cancelled, head: whole }])
}
const replay: Operation = (pool, { work }) => replayEvents(pool, work.tenantId, [work.eventId])
const edit: Operation = (pool, { work }) =>
  editEvent(pool, work.tenantId, work.eventId, { destination: 'https://other.example/' }, true)
const expire: Operation = (pool) => expireParked(pool, 30, 100)
const sweep: Operation = (pool) => sweepDue(pool, 100)
const repair: Operation = (pool) => repairLanes(pool)
const erase: Operation = (pool, { work }) =>
  eraseEvents(pool, work.tenantId, [
    {
      id: work.eventId,
      isByKey: false,
      isByDestination: false,
      isByTrace: false,
      isByReason: false,
    },
  ])
const fetch: Operation = (pool, { work }) =>
  fetchVisible(pool, { tenantId: work.tenantId, endpointId: work.targetId }, 10, 30_000)
const confirm: Operation = (pool, { work }) =>
  acknowledge(pool, { tenantId: work.tenantId, endpointId: work.targetId }, [work.eventId])
async function show(pool: Pool, { backlog }: Meeting): Promise<void> {
  if (backlog !== null) await showParked(pool, backlog, 10)
}

const PUSHED = { take, park, record, deliver, begin, cancel, replay, edit, expire, sweep, erase }
const IN_LANE = { take, park, record, deliver, cancel, replay, expire, sweep, erase, repair }
const POLLED = { fetch, confirm, show, take, cancel, replay, expire, sweep, erase }

async function accepted(): Promise<Meeting> {
  const [work] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
  return { work, backlog: null }
}

async function withToken({ work, ...rest }: Meeting): Promise<Meeting> {
  const token = (await dueRow(stage.pool, work.deliveryId))?.token ?? work.token
  return { ...rest, work: { ...work, token } }
}

async function waiting(from = accepted): Promise<Meeting> {
  const meeting = await from()
  await record(stage.pool, meeting)
  return await withToken({ ...meeting, work: { ...meeting.work, attempts: 1 } })
}

async function parked(from: () => Promise<Meeting>): Promise<Meeting> {
  const { work, ...rest } = await from()
  const [made] = await parkDeliveries(stage.pool, [work])
  if (made === undefined) throw new Error('no backlog was made')
  await stage.pool.query(`UPDATE parked SET parked_at = ${OLD} WHERE delivery_id = $1`, [
    work.deliveryId,
  ])
  const backlog = await takeBacklog(stage.pool, { v: 1, kind: 'backlog', ...made })
  return { ...rest, work, backlog }
}

async function dead(from: () => Promise<Meeting>): Promise<Meeting> {
  const meeting = await from()
  await cancel(stage.pool, meeting)
  return meeting
}

/** As a statement leaves a delivery that has met another one: for a moment it waits twice. */
async function alsoDue(from: () => Promise<Meeting>): Promise<Meeting> {
  const meeting = await from()
  const { tenantId, deliveryId, targetId } = meeting.work
  await stage.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
     VALUES ($1, $2, 1, now() + interval '10 seconds', true, $3)`,
    [tenantId, deliveryId, targetId],
  )
  return await withToken(meeting)
}

async function late(from: () => Promise<Meeting>): Promise<Meeting> {
  const meeting = await from()
  await passTime(stage.pool, [meeting.work.deliveryId])
  return await withToken(meeting)
}

const PUSHED_FROM: Record<string, () => Promise<Meeting>> = {
  leased: accepted,
  'waiting for its time': () => waiting(),
  due: () => late(() => waiting()),
  'parked, never tried': () => parked(accepted),
  'parked, tried': () => parked(() => waiting()),
  'dead and still parked': () => dead(() => parked(accepted)),
  'dead and still due': () => late(() => alsoDue(() => dead(accepted))),
  'parked and due': () => late(() => alsoDue(() => parked(() => waiting()))),
  'dead, still parked and due': () =>
    late(() => alsoDue(() => dead(() => parked(() => waiting())))),
}

async function makePolled(): Promise<string> {
  const endpointId = newId()
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{"deliveryMode": "poll"}')`,
    [tenant.tenantId, endpointId, tenant.projectId],
  )
  return endpointId
}

async function visible(): Promise<Meeting> {
  const [work] = (await acceptTyped(stage.pool, tenant, [await makePolled()])) as [TestDelivery]
  return { work, backlog: null }
}

async function fetched(): Promise<Meeting> {
  const meeting = await visible()
  await fetch(stage.pool, meeting)
  return await withToken(meeting)
}

async function head(): Promise<Meeting> {
  const { tenantId } = tenant
  const [endpointId, lane] = [newId(), 'order-1']
  const events = [typedEvent(tenant), typedEvent(tenant)]
  const outcomes = await acceptEvents(stage.pool, events)
  const planned = events.map(({ id }) => ({
    tenantId,
    eventId: id,
    deliveries: [{ deliveryId: newId(), endpointId, lane }],
  }))
  const { tokens } = await fanOutInOrder(stage.pool, tenantId, planned)
  const [deliveryId, behind] = planned.map(({ deliveries }) => deliveries[0]?.deliveryId ?? '')
  const [event, outcome] = [events[0], outcomes[0]]
  if (deliveryId === undefined || behind === undefined || outcome?.outcome !== 'accepted')
    throw new Error('no lane was made')
  const work = {
    ...tenant,
    eventId: event?.id ?? '',
    deliveryId,
    endpointId,
    targetId: endpointId,
    token: tokens.get(deliveryId) ?? 0,
    priority: event?.priority ?? 0,
    seq: outcome.seq,
    attempts: 0,
  }
  return { work, lane, behind, backlog: null }
}

const LANE_FROM: Record<string, () => Promise<Meeting>> = {
  'its leased head': head,
  'its head, waiting for its time': () => waiting(head),
  'its parked head': () => parked(() => waiting(head)),
  'its head once, dead': () => dead(head),
  'its head once, dead and still parked': () => dead(() => parked(head)),
}

/** Parked by a dispatcher before its endpoint was in poll mode. */
async function parkedBefore(): Promise<Meeting> {
  const meeting = await parked(async () => {
    const [work] = (await acceptTyped(stage.pool, tenant, [newId()])) as [TestDelivery]
    return { work, backlog: null }
  })
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{"deliveryMode": "poll"}')`,
    [tenant.tenantId, meeting.work.targetId, tenant.projectId],
  )
  return meeting
}

const POLLED_FROM: Record<string, () => Promise<Meeting>> = {
  visible,
  fetched,
  'fetched too long ago': () => late(fetched),
  'parked for push': parkedBefore,
  'dead and still visible': () => dead(visible),
  'dead and still fetched': () => late(() => alsoDue(() => dead(fetched))),
  'dead and still parked for push': () => dead(parkedBefore),
}

/** A pool whose statements and transactions are all parts of one transaction of its client. */
async function openUncommitted() {
  const client = await stage.pool.connect()
  await client.query('BEGIN')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const query = client.query.bind(client)
  const parts = { BEGIN: 'SAVEPOINT part', COMMIT: 'RELEASE part', ROLLBACK: 'ROLLBACK TO part' }
  const connect = async () => ({
    query: (text: keyof typeof parts, values: unknown[]) => query(parts[text] ?? text, values),
    release: () => {},
  })
  return {
    pool: { query, connect } as unknown as Pool,
    pid: rows[0]?.pid,
    async commit() {
      await query('COMMIT')
      client.release()
    },
  }
}

async function isBlockedBy(pid: number | undefined): Promise<boolean> {
  const { rowCount } = await stage.pool.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`,
    [pid],
  )
  return rowCount === 1
}

async function meet(meeting: Meeting, first: Operation, second: Operation): Promise<void> {
  const uncommitted = await openUncommitted()
  await first(uncommitted.pool, meeting)
  let isDone = false
  const meets = second(stage.pool, meeting).finally(() => (isDone = true))
  await eventually(async () => isDone || (await isBlockedBy(uncommitted.pid)), { everyMs: 1 })
  await uncommitted.commit()
  await meets
}

/** Whether a delivery is open and waits nowhere. */
async function isLost({ work, behind }: Meeting): Promise<boolean> {
  const { rowCount } = await stage.pool.query(
    `SELECT FROM deliveries d WHERE id IN ($1, $2) AND ended_at IS NULL
       AND NOT EXISTS (SELECT FROM due WHERE due.id = d.id)
       AND NOT EXISTS (SELECT FROM parked WHERE delivery_id = d.id)
       AND NOT EXISTS (SELECT FROM lane_waiting WHERE delivery_id = d.id)`,
    [work.deliveryId, behind ?? null],
  )
  return (rowCount ?? 0) > 0
}

describe.each([
  ['pushed', PUSHED_FROM, PUSHED],
  ['in a lane', LANE_FROM, IN_LANE],
  ['polled', POLLED_FROM, POLLED],
] as const)('a delivery that is %s', (_, places, operations) => {
  test.each(Object.entries(places))('%s', async (_, arrange) => {
    const lost: string[] = []
    for (const [first, begins] of Object.entries(operations)) {
      for (const [second, follows] of Object.entries(operations)) {
        const meeting = await arrange()
        await meet(meeting, begins, follows)
        if (await isLost(meeting)) lost.push(`${first}, ${second}`)
        await stage.pool.query('DELETE FROM due')
        await stage.pool.query('DELETE FROM parked')
        await stage.pool.query('DELETE FROM backlogs')
        await stage.pool.query('DELETE FROM lane_waiting')
        await stage.pool.query('DELETE FROM lanes')
      }
    }
    expect(lost).toEqual([])
  })
})
