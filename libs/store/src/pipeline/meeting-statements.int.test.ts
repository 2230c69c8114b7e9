/**
 * Each two statements that may meet in one delivery, the second while the first is not committed:
 * wherever the delivery waited before, while it is open it waits somewhere afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { DELIVERY_STATES } from '@posthorn/domain/delivery-state'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import type { Pool } from '../pool.ts'
import {
  acceptDirect,
  acceptTyped,
  addEndpoint,
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
import { parkDeliveries, takeBacklog } from './backlogs.ts'
import { fanOutInOrder } from './fan-out.ts'
import {
  cancel,
  fetch,
  IN_LANE,
  type Meeting,
  type Operation,
  POLLED,
  PUSHED,
  record,
} from './meeting-operations.fixture.ts'
import { KIND } from './sql/lease.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  await stage.close()
})

type Arrange = () => Promise<Meeting>
/** The state that the delivery is then in, and the tables that it waits in. */
type Place = readonly [where: string, arrange: Arrange]

async function accepted(): Promise<Meeting> {
  const [work] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
  return { work, backlog: null }
}

async function withToken({ work, ...rest }: Meeting): Promise<Meeting> {
  const token = (await dueRow(stage.pool, work.deliveryId))?.token ?? work.token
  return { ...rest, work: { ...work, token } }
}

async function waiting(from: Arrange = accepted): Promise<Meeting> {
  const meeting = await from()
  await record(stage.pool, meeting)
  return await withToken({ ...meeting, work: { ...meeting.work, attempts: 1 } })
}

async function parked(from: Arrange): Promise<Meeting> {
  const { work, ...rest } = await from()
  const [made] = await parkDeliveries(stage.pool, [work])
  if (made === undefined) throw new Error('no backlog was made')
  await stage.pool.query(
    `UPDATE parked SET parked_at = now() - interval '40 days' WHERE delivery_id = $1`,
    [work.deliveryId],
  )
  const backlog = await takeBacklog(stage.pool, { v: 1, kind: 'backlog', ...made })
  return { ...rest, work, backlog }
}

async function dead(from: Arrange): Promise<Meeting> {
  const meeting = await from()
  await cancel(stage.pool, meeting)
  return meeting
}

/** As a statement leaves a delivery that has met another one: for a moment it waits twice. */
async function alsoDue(from: Arrange, kind: number = KIND.delivery): Promise<Meeting> {
  const meeting = await from()
  const { tenantId, deliveryId, targetId } = meeting.work
  await stage.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
     VALUES ($1, $2, $3, now() + interval '10 seconds', $4, $5)`,
    [tenantId, deliveryId, kind, kind === KIND.delivery, targetId],
  )
  return await withToken(meeting)
}

async function late(from: Arrange): Promise<Meeting> {
  const meeting = await from()
  await passTime(stage.pool, [meeting.work.deliveryId])
  return await withToken(meeting)
}

const PUSHED_FROM: Record<string, Place> = {
  leased: ['queued due', accepted],
  'waiting for its time': ['waiting due', () => waiting()],
  due: ['waiting due', () => late(() => waiting())],
  'parked, never tried': ['queued parked', () => parked(accepted)],
  'parked, tried': ['waiting parked', () => parked(() => waiting())],
  'dead and still parked': ['dead parked', () => dead(() => parked(accepted))],
  'dead and still due': ['dead due', () => late(() => alsoDue(() => dead(accepted)))],
  'parked and due': [
    'waiting due parked',
    () => late(() => alsoDue(() => parked(() => waiting()))),
  ],
  'dead, still parked and due': [
    'dead due parked',
    () => late(() => alsoDue(() => dead(() => parked(() => waiting())))),
  ],
}

async function visible(): Promise<Meeting> {
  const [work] = (await acceptTyped(stage.pool, tenant, [
    await addEndpoint(stage.pool, tenant, { deliveryMode: 'poll' }),
  ])) as [TestDelivery]
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

const LANE_FROM: Record<string, Place> = {
  'its leased head': ['queued due', head],
  'its head, waiting for its time': ['waiting due', () => waiting(head)],
  'its parked head': ['waiting parked', () => parked(() => waiting(head))],
  'its head once, dead': ['dead', () => dead(head)],
}

/** Parked by a dispatcher before its endpoint was in poll mode. */
async function parkedBefore(): Promise<Meeting> {
  const endpointId = await addEndpoint(stage.pool, tenant, { deliveryMode: 'push' })
  const meeting = await parked(async () => {
    const [work] = (await acceptTyped(stage.pool, tenant, [endpointId])) as [TestDelivery]
    return { work, backlog: null }
  })
  await stage.pool.query(`UPDATE endpoints SET config = '{"deliveryMode": "poll"}' WHERE id = $1`, [
    endpointId,
  ])
  return meeting
}

const POLLED_FROM: Record<string, Place> = {
  visible: ['queued parked', visible],
  fetched: ['delivering due', fetched],
  'fetched too long ago': ['delivering due', () => late(fetched)],
  'parked for push': ['queued parked', parkedBefore],
  'dead and still visible': ['dead parked', () => dead(visible)],
  'dead and still fetched': ['dead due', () => late(() => alsoDue(() => dead(fetched), KIND.poll))],
  'dead and still parked for push': ['dead parked', () => dead(parkedBefore)],
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
  let meets: Promise<unknown> | undefined
  try {
    await first(uncommitted.pool, meeting)
    let isDone = false
    meets = second(stage.pool, meeting).finally(() => (isDone = true))
    await eventually(async () => isDone || (await isBlockedBy(uncommitted.pid)), { everyMs: 1 })
  } finally {
    await uncommitted.commit()
  }
  await meets
}

/** @returns for each of the deliveries its state and the tables that it waits in */
async function placesOf({ work, behind }: Meeting): Promise<string[]> {
  const { rows } = await stage.pool.query<{ state: number; tables: string[] }>(
    `SELECT state, array_remove(ARRAY[
         CASE WHEN EXISTS (SELECT FROM due WHERE due.id = d.id) THEN 'due' END,
         CASE WHEN EXISTS (SELECT FROM parked WHERE delivery_id = d.id) THEN 'parked' END,
         CASE WHEN EXISTS (SELECT FROM lane_waiting WHERE delivery_id = d.id) THEN 'lane' END
       ], NULL) AS tables
     FROM deliveries d WHERE id IN ($1, $2) ORDER BY id = $1 DESC`,
    [work.deliveryId, behind ?? null],
  )
  return rows.map(({ state, tables }) => [DELIVERY_STATES[state], ...tables].join(' '))
}

/** What is open and waits nowhere. */
const LOST: readonly string[] = ['queued', 'delivering', 'waiting']

describe.each([
  ['pushed', PUSHED_FROM, PUSHED],
  ['in a lane', LANE_FROM, IN_LANE],
  ['polled', POLLED_FROM, POLLED],
] as const)('a delivery that is %s', (_, places, operations) => {
  test.each(Object.entries(places))('%s', async (_, [where, arrange]) => {
    const lost: string[] = []
    for (const [first, begins] of Object.entries(operations)) {
      for (const [second, follows] of Object.entries(operations)) {
        const meeting = await arrange()
        expect((await placesOf(meeting))[0]).toBe(where)
        await meet(meeting, begins, follows)
        const after = await placesOf(meeting)
        if (after.some((place) => LOST.includes(place))) lost.push(`${first}, ${second}`)
        for (const table of ['due', 'parked', 'backlogs', 'lane_waiting', 'lanes'])
          await stage.pool.query(`DELETE FROM ${table}`)
      }
    }
    expect(lost).toEqual([])
  })
})
