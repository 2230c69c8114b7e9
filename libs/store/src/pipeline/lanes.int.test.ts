/** FIFO lanes on a real Postgres: who is next, when, and whatever happens at once. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  typedEvent,
} from '../store.fixture.ts'
import { acceptEvents, type NewEvent } from './accept-events.ts'
import { acknowledge } from './acknowledge.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { expireParked } from './expire-parked.ts'
import { fanOutInOrder, readOldestWaiting, readWaitingEvents } from './fan-out.ts'
import { parkDeliveries, takeBacklog, takeParked } from './backlogs.ts'
import { repairLanes } from './lanes.ts'
import { fetchVisible } from './poll.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { loadDueDeliveries } from './load-due-deliveries.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
/** What each test leaves is whole. */
afterEach(async () => expect(await findBroken(stage.pool)).toEqual([]))
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(() => stage.close())

async function accept(count: number, more: Partial<NewEvent> = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => typedEvent(tenant, more))
  await acceptEvents(stage.pool, events)
  return events.map(({ id }) => id)
}

/**
 * Fans out the tenant's oldest events, one delivery each to the endpoint, in the lane that its
 * payload names.
 */
async function fanOutTo(endpointId: string, limit = 100): Promise<DueDelivery[]> {
  const { tenantId } = tenant
  const tokens = new Map<string, number | null>()
  // Whoever is overtaken by another takes what is the oldest then.
  for (let left = limit; left > 0; ) {
    const oldest = await readOldestWaiting(stage.pool, [{ tenantId, limit: left }])
    if (oldest.length === 0) break
    const planned = (await readWaitingEvents(stage.pool, oldest)).map(({ id, payload }) => ({
      tenantId,
      eventId: id,
      deliveries: [{ deliveryId: newId(), endpointId, lane: payload }],
    }))
    const done = await fanOutInOrder(stage.pool, tenantId, planned)
    for (const [id, token] of done.tokens) tokens.set(id, token)
    left -= done.written.length
  }
  const leased = [...tokens].map(([id, token]) => ({
    tenantId: tenant.tenantId,
    id,
    token: token ?? 0,
  }))
  return await loadDueDeliveries(stage.pool, leased)
}

/** A lane of as many deliveries; its head is leased to us. */
async function makeLane(
  count: number,
  endpointId: string = newId(),
): Promise<{ endpointId: string; eventIds: string[]; head: DueDelivery }> {
  tenant = await makeTenant(stage.pool)
  const eventIds = await accept(count)
  const [head] = await fanOutTo(endpointId)
  if (head === undefined) throw new Error('the lane has no head')
  return { endpointId, eventIds, head }
}

function record(work: DueDelivery, next: AttemptRecord['next'], token = work.token): AttemptRecord {
  const attempt = attemptOf({ ...work, targetId: work.endpointId ?? '' }, next)
  return { ...attempt, head: { lane: work.lane ?? '', token } }
}

/** Delivers head after head and says whose events they were. */
async function runDown(head: DueDelivery | undefined): Promise<string[]> {
  const order: string[] = []
  for (let at = head; at !== undefined; ) {
    order.push(at.eventId)
    const { written, released } = await recordAttempts(stage.pool, [
      record(at, { state: 'delivered' }),
    ])
    expect(written).toHaveLength(1)
    at = released[0]
  }
  return order
}

test('only the head is leased; each end releases the next, and the last leaves nothing', async () => {
  const { eventIds, head } = await makeLane(4)
  expect(head).toMatchObject({ eventId: eventIds[0], lane: '{"n": 1.0}' })
  expect(await countRows(stage.pool, 'due', 'tenant_id = $1', [tenant.tenantId])).toBe(1)
  expect(await runDown(head)).toEqual(eventIds)
  expect(await countRows(stage.pool, 'lanes', 'tenant_id = $1', [tenant.tenantId])).toBe(0)
  expect(await countRows(stage.pool, 'due', 'tenant_id = $1', [tenant.tenantId])).toBe(0)
})

test('a failed try keeps the head at the head; a dead one releases the next', async () => {
  const { head } = await makeLane(2)
  const failed = record(head, { state: 'waiting', afterMs: 60_000 })
  expect(await recordAttempts(stage.pool, [failed])).toMatchObject({
    written: [{}],
    released: [],
  })
  const token = (await dueRow(stage.pool, head.deliveryId))?.token ?? 0
  const again = { ...head, attempts: 1, token }
  const dead = record(again, { state: 'dead', reason: 'attempts used up' })
  const { released } = await recordAttempts(stage.pool, [dead])
  expect(released).toHaveLength(1)
  await runDown(released[0])
})

test('lanes of one endpoint do not wait for each other, nor for other endpoints', async () => {
  tenant = await makeTenant(stage.pool)
  const a = await accept(2, { payload: '"a"' })
  const b = await accept(2, { payload: '"b"' })
  const endpointId = newId()
  const heads = await fanOutTo(endpointId)
  expect(heads.map(({ eventId }) => eventId)).toEqual([a[0], b[0]])
  expect(await runDown(heads[1])).toEqual(b)
  expect(await runDown(heads[0])).toEqual(a)
})

test('two fan-outs at once, and many rounds: the order is that of acceptance, and nothing is there twice', async () => {
  const endpointId = newId()
  tenant = await makeTenant(stage.pool)
  const eventIds: string[] = []
  const heads: DueDelivery[] = []
  const fanOuts: Promise<void>[] = []
  for (let round = 0; round < 12; round += 1) {
    eventIds.push(...(await accept(5)))
    for (const limit of [3, 4]) {
      fanOuts.push(fanOutTo(endpointId, limit).then((made) => void heads.push(...made)))
    }
  }
  await Promise.all(fanOuts)
  expect(heads).toHaveLength(1)
  expect(await runDown(heads[0])).toEqual(eventIds)
})

test('a fan-out and the end of the last at once: what comes is the head or is released', async () => {
  const endpointId = newId()
  tenant = await makeTenant(stage.pool)
  await accept(1)
  let [head] = await fanOutTo(endpointId)
  for (let round = 0; round < 40; round += 1) {
    if (head === undefined) throw new Error('the lane is stuck')
    const [eventId] = await accept(1)
    const [made, { released }] = await Promise.all([
      fanOutTo(endpointId),
      recordAttempts(stage.pool, [record(head, { state: 'delivered' })]),
    ])
    const next: DueDelivery[] = [...made, ...released]
    expect(next.map((one) => one.eventId)).toEqual([eventId])
    head = next[0]
  }
  await runDown(head)
})

test('a delayed event takes its place when its delay ends, a late one its own', async () => {
  const { endpointId, head, eventIds } = await makeLane(1)
  const [delayed] = await accept(1, { delaySeconds: 60 })
  const [before] = await accept(1)
  expect(await fanOutTo(endpointId)).toEqual([])
  await passTime(stage.pool, [delayed ?? ''])
  expect((await sweepDue(stage.pool, 100)).events.map(({ eventId }) => eventId)).toEqual([delayed])
  const [after] = await accept(1)
  expect(await fanOutTo(endpointId)).toEqual([])
  expect(await runDown(head)).toEqual([...eventIds, before, delayed, after])
})

test('whoever has lost the lease records nothing, so that nothing is released behind another’s try', async () => {
  const { head } = await makeLane(2)
  await passTime(stage.pool, [head.deliveryId])
  const swept = await sweepDue(stage.pool, 100)
  const again = swept.deliveries.find(({ deliveryId }) => deliveryId === head.deliveryId)
  expect(again?.lane).toBe(head.lane)
  const late = await recordAttempts(stage.pool, [record(head, { state: 'delivered' })])
  expect(late).toEqual({ written: [], superseded: [], refused: [], released: [] })
  expect(
    await cancelDeliveries(stage.pool, [
      { ...head, reason: 'x', head: { ...headOf(head), whole: false } },
    ]),
  ).toEqual([])
  expect(await deliveryRow(stage.pool, head.deliveryId)).toMatchObject({ state: 0, tries: 0 })
  await runDown(again)
})

function headOf({ endpointId, lane, token }: DueDelivery) {
  return { endpointId: endpointId ?? '', lane: lane ?? '', token }
}

test('a cancelled head releases the next', async () => {
  const { head, eventIds } = await makeLane(2)
  const [next] = await cancelDeliveries(stage.pool, [
    { ...head, reason: 'event deleted', head: { ...headOf(head), whole: false } },
  ])
  expect(await runDown(next)).toEqual(eventIds.slice(1))
  expect(await deliveryRow(stage.pool, head.deliveryId)).toMatchObject({
    state: 4,
    dead_reason: 'event deleted',
  })
})

test('a deleted endpoint’s lanes are emptied, a thousand at a time', async () => {
  const { head, endpointId, eventIds } = await makeLane(1)
  for (let round = 0; round < 6; round += 1) eventIds.push(...(await accept(200)))
  await fanOutTo(endpointId, 2_000)
  const reason = 'endpoint deleted'
  const rounds: number[] = []
  for (let at: DueDelivery | undefined = head; at !== undefined; ) {
    const whole: DueDelivery = at
    const released = await cancelDeliveries(stage.pool, [
      { ...whole, reason, head: { ...headOf(whole), whole: true } },
    ])
    rounds.push(await countRows(stage.pool, 'lane_waiting', 'endpoint_id = $1', [endpointId]))
    at = released[0]
  }
  expect(rounds).toEqual([199, 0])
  const dead = `endpoint_id = $1 AND state = 4 AND dead_reason = 'endpoint deleted'`
  expect(await countRows(stage.pool, 'deliveries', dead, [endpointId])).toBe(eventIds.length)
  expect(await countRows(stage.pool, 'lanes', 'endpoint_id = $1', [endpointId])).toBe(0)
})

test('a dead delivery that is replayed goes to its lane’s end', async () => {
  const { head, eventIds } = await makeLane(3)
  const { released } = await recordAttempts(stage.pool, [
    record(head, { state: 'dead', reason: 'attempts used up' }),
  ])
  const replayed = await replayEvents(stage.pool, tenant.tenantId, [head.eventId])
  expect(replayed).toMatchObject({ work: [], eventIds: new Set([head.eventId]) })
  expect(await deliveryRow(stage.pool, head.deliveryId)).toMatchObject({ state: 0, tries: 1 })
  const [second] = released
  const order = await runDownTo(second, head.eventId)
  expect(order).toEqual([eventIds[1], eventIds[2], eventIds[0]])
})

/** As `runDown`; the attempts of this event's delivery are counted on. */
async function runDownTo(head: DueDelivery | undefined, replayedId: string): Promise<string[]> {
  const order: string[] = []
  for (let at = head; at !== undefined; ) {
    order.push(at.eventId)
    expect(at.attempts).toBe(at.eventId === replayedId ? 1 : 0)
    const { released }: { released: DueDelivery[] } = await recordAttempts(stage.pool, [
      record(at, { state: 'delivered' }),
    ])
    at = released[0]
  }
  return order
}

test('so does a head that backs off, and the next goes at once', async () => {
  const { head, eventIds } = await makeLane(2)
  await recordAttempts(stage.pool, [record(head, { state: 'waiting', afterMs: 60_000 })])
  const edited = await editEvent(stage.pool, tenant.tenantId, head.eventId, {}, true)
  if (edited.outcome !== 'edited') throw new Error('it was not replayed')
  const work = edited.replayed?.work ?? []
  expect(work.map(({ eventId }) => eventId)).toEqual([eventIds[1]])
  expect(await runDownTo(work[0], head.eventId)).toEqual([eventIds[1], eventIds[0]])
})

test('alone in its lane a replayed delivery is its head, and announced', async () => {
  const { head } = await makeLane(1)
  await recordAttempts(stage.pool, [record(head, { state: 'dead', reason: 'gone' })])
  const { work } = await replayEvents(stage.pool, tenant.tenantId, [head.eventId])
  expect(work).toMatchObject([{ deliveryId: head.deliveryId, attempts: 1, attemptsBefore: 1 }])
  expect(await runDownTo(work[0], head.eventId)).toEqual([head.eventId])
})

test('a head is parked, taken and goes on; what is behind it stays where it is', async () => {
  const { endpointId, head, eventIds } = await makeLane(3)
  const [backlog] = await parkDeliveries(stage.pool, [{ ...head, targetId: endpointId }])
  expect(await countRows(stage.pool, 'parked', 'target_id = $1', [endpointId])).toBe(1)
  expect(await findBroken(stage.pool)).toEqual([])
  const taken = await takeBacklog(stage.pool, {
    v: 1,
    kind: 'backlog',
    ...(backlog as NonNullable<typeof backlog>),
  })
  const { deliveries } = await takeParked(stage.pool, taken as NonNullable<typeof taken>, 10)
  expect(await runDown(deliveries[0])).toEqual(eventIds)
})

test('a head that was parked for too long ends, and the next is due', async () => {
  const { endpointId, head, eventIds } = await makeLane(2)
  await parkDeliveries(stage.pool, [{ ...head, targetId: endpointId }])
  await stage.pool.query(
    `UPDATE parked SET parked_at = now() - interval '31 days' WHERE target_id = $1`,
    [endpointId],
  )
  expect(await expireParked(stage.pool, 30, 10)).toBe(1)
  const { deliveries } = await sweepDue(stage.pool, 100)
  const own = deliveries.filter((one) => one.endpointId === endpointId)
  expect(await runDown(own[0])).toEqual(eventIds.slice(1))
})

/** As if its deliveries had waited for so many days, each where it is. */
async function age(endpointId: string, days: number): Promise<void> {
  for (const [table, column, where] of [
    ['parked', 'parked_at', 'target_id'],
    ['lane_waiting', 'waits_since', 'endpoint_id'],
    ['lanes', 'head_since', 'endpoint_id'],
  ]) {
    await stage.pool.query(
      `UPDATE ${table} SET ${column} = ${column} - $2 * interval '1 day' WHERE ${where} = $1`,
      [endpointId, days],
    )
  }
}

async function reasons(eventIds: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await stage.pool.query<{ reason: string | null }>(
    `SELECT e.dead_reason AS reason FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, n)
     JOIN events e USING (id) ORDER BY n`,
    [eventIds],
  )
  return rows.map(({ reason }) => reason)
}

/** Its head, swept and parked, as a dispatcher does with it while the endpoint is paused. */
async function parkHead(endpointId: string): Promise<string | undefined> {
  const { deliveries } = await sweepDue(stage.pool, 100)
  const head = deliveries.find((one) => one.endpointId === endpointId)
  if (head !== undefined) await parkDeliveries(stage.pool, [{ ...head, targetId: endpointId }])
  return head?.eventId
}

test('whatever its place, a delivery expires so many days after it first had to wait', async () => {
  const { endpointId, eventIds, head } = await makeLane(4)
  await parkDeliveries(stage.pool, [{ ...head, targetId: endpointId }])
  await age(endpointId, 20)
  const late = await accept(2)
  await fanOutTo(endpointId)
  await expireParked(stage.pool, 30, 100)
  expect(await reasons(eventIds)).toEqual([null, null, null, null])
  await age(endpointId, 11)
  await expireParked(stage.pool, 30, 100)
  expect(await reasons([...eventIds, ...late])).toEqual([
    ...eventIds.map(() => 'expired'),
    null,
    null,
  ])
  // The next may go; parked again, its time goes on from when it came behind the others.
  expect(await parkHead(endpointId)).toBe(late[0])
  await age(endpointId, 18)
  await expireParked(stage.pool, 30, 100)
  expect(await reasons(late)).toEqual([null, null])
  await age(endpointId, 2)
  await expireParked(stage.pool, 30, 100)
  expect(await reasons(late)).toEqual(['expired', 'expired'])
  expect(await countRows(stage.pool, 'lanes', 'endpoint_id = $1', [endpointId])).toBe(0)
})

test('behind a head that goes on being tried they expire as well, a few of each lane at a time', async () => {
  const { endpointId, eventIds, head } = await makeLane(6)
  await recordAttempts(stage.pool, [record(head, { state: 'waiting', afterMs: 60_000 })])
  await age(endpointId, 31)
  let rounds = 0
  while ((await expireParked(stage.pool, 30, 2)) >= 2) rounds += 1
  expect(rounds).toBe(2)
  expect(await reasons(eventIds)).toEqual([null, ...eventIds.slice(1).map(() => 'expired')])
  await passTime(stage.pool, [head.deliveryId])
  expect(await parkHead(endpointId)).toBe(eventIds[0])
})

test('heads that are released in their order keep it, and who was tried in time is not expired', async () => {
  const { endpointId, eventIds, head } = await makeLane(3)
  await age(endpointId, 29)
  const { released } = await recordAttempts(stage.pool, [record(head, { state: 'delivered' })])
  expect(released.map(({ eventId }) => eventId)).toEqual([eventIds[1]])
  await age(endpointId, 2)
  // While its attempt is in flight it is parked nowhere; the one behind it has waited for too long.
  await expireParked(stage.pool, 30, 100)
  expect(await reasons(eventIds)).toEqual([null, null, 'expired'])
  const [second] = released as [DueDelivery]
  await recordAttempts(stage.pool, [record(second, { state: 'delivered' })])
  expect(await countRows(stage.pool, 'lanes', 'endpoint_id = $1', [endpointId])).toBe(0)
})

test('of an endpoint that is polled by now the next is visible when the one before is acknowledged', async () => {
  const { endpointId, eventIds, head } = await makeLane(3)
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{"deliveryMode": "poll"}')`,
    [tenant.tenantId, endpointId, tenant.projectId],
  )
  const target = { tenantId: tenant.tenantId, endpointId }
  expect(
    (await recordAttempts(stage.pool, [record(head, { state: 'delivered' })])).released,
  ).toEqual([])
  for (const eventId of eventIds.slice(1)) {
    const fetched = await fetchVisible(stage.pool, target, 10, 30_000)
    expect(fetched.map(({ id }) => id)).toEqual([eventId])
    expect(await acknowledge(stage.pool, target, [eventId])).toEqual(new Set([eventId]))
  }
  expect(await fetchVisible(stage.pool, target, 10, 30_000)).toEqual([])
})

test('what is acknowledged out of turn is passed over', async () => {
  const { endpointId, eventIds, head } = await makeLane(3)
  const target = { tenantId: tenant.tenantId, endpointId }
  const second = eventIds[1] as string
  await acknowledge(stage.pool, target, [second])
  expect(await runDown(head)).toEqual([eventIds[0], eventIds[2]])
  expect(await countRows(stage.pool, 'lane_waiting', 'endpoint_id = $1', [endpointId])).toBe(0)
})

test.each([
  ['its head waits nowhere', `DELETE FROM due WHERE id = $1`, 0],
  [
    'its head has ended',
    `WITH d AS (DELETE FROM due WHERE id = $1),
     e AS (UPDATE events SET open_count = 0, ended_at = now(), delivered_at = now()
       WHERE id = (SELECT event_id FROM deliveries WHERE id = $1))
     UPDATE deliveries SET state = 3, ended_at = now() WHERE id = $1`,
    1,
  ],
  ['its row is gone', `DELETE FROM lanes WHERE head = $1`, 1],
])('a stuck lane is repaired: %s', async (_, breaking, first) => {
  const { head, endpointId, eventIds } = await makeLane(3)
  expect(await repairLanes(stage.pool)).toBe(0)
  await stage.pool.query(breaking, [head.deliveryId])
  expect(await repairLanes(stage.pool)).toBe(1)
  expect(await repairLanes(stage.pool)).toBe(0)
  const { deliveries } = await sweepDue(stage.pool, 100)
  const [next] = deliveries.filter((one) => one.endpointId === endpointId)
  expect(next?.eventId).toBe(eventIds[first])
  await runDown(next)
  // Without its row the old head is none of the lane's: it ends by itself.
  await recordAttempts(stage.pool, [
    attemptOf({ ...head, targetId: endpointId }, { state: 'delivered' }),
  ])
})
