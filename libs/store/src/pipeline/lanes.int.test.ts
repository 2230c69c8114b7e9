/** FIFO lanes on a real Postgres: who is next, when, and whatever happens at once. */
import { expect, test } from '@jest/globals'
import { type DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { attemptOf, countRows, deliveryRow, dueRow, passTime } from '../store.fixture.ts'
import { acknowledge } from './acknowledge.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import {
  accept,
  fanOutTo,
  makeLane,
  record,
  runDown,
  stage,
  tenant,
  useLanes,
  useNewTenant,
} from './lanes.fixture.ts'
import { repairLanes } from './lanes.ts'
import { fetchVisible } from './poll.ts'
import { recordAttempts } from './record-attempts.ts'
import { sweepDue } from './sweep.ts'

useLanes()

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
  await useNewTenant()
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
  await useNewTenant()
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
  await useNewTenant()
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
