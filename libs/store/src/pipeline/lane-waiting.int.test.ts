/** FIFO lanes on a real Postgres: what is replayed, parked, or has to wait for too long. */
import { expect, test } from '@jest/globals'
import { type DueDelivery } from '@posthorn/contracts/topics'
import { findBroken } from '../invariants.fixture.ts'
import { countRows, deliveryRow, passTime } from '../store.fixture.ts'
import { parkDeliveries, takeBacklog, takeParked } from './backlogs.ts'
import { expireParked } from './expire-parked.ts'
import {
  accept,
  fanOutTo,
  makeLane,
  record,
  runDown,
  stage,
  tenant,
  useLanes,
} from './lanes.fixture.ts'
import { recordAttempts } from './record-attempts.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

useLanes()

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
