import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  acceptTyped,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  type TestDelivery,
} from '../store.fixture.ts'
import { parkDeliveries, takeParked } from './backlogs.ts'
import { beginAttempts, renewLeases } from './renew-leases.ts'
import { recordAttempts } from './record-attempts.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterEach(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
})
afterAll(async () => {
  await stage.close()
})

const DEAD = { state: 'dead', reason: 'attempts used up' } as const
const WAITING = { state: 'waiting', afterMs: 3_600_000 } as const
const DELIVERED = { state: 'delivered' } as const

async function direct(
  next: typeof DEAD | typeof WAITING | typeof DELIVERED,
): Promise<TestDelivery> {
  const [work] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
  await recordAttempts(stage.pool, [attemptOf(work, next)])
  return { ...work, attempts: 1 }
}

describe('replay', () => {
  test('queues a dead direct event again: attempts anew, numbers going on', async () => {
    const work = await direct(DEAD)
    const { eventIds, work: messages } = await replayEvents(stage.pool, tenant.tenantId, [
      work.eventId,
    ])
    expect([...eventIds]).toEqual([work.eventId])
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      deliveryId: work.deliveryId,
      attempts: 1,
      attemptsBefore: 1,
      endpointId: null,
    })
    expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject({
      kind: 1,
      leased: true,
      token: messages[0]?.token,
    })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      open_count: 1,
      dead_count: 0,
      attempts: 0,
      ended_at: null,
      delivered_at: null,
      dead_reason: null,
    })
    const { written } = await recordAttempts(stage.pool, [attemptOf(work, DELIVERED)])
    expect(written).toEqual([{ deliveryId: work.deliveryId, attemptNumber: 2 }])
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      attempts: 1,
      delivered_at: expect.any(Date),
    })
    expect(await countRows(stage.pool, 'attempts', 'delivery_id = $1', [work.deliveryId])).toBe(2)
  })

  test('of one that waits for its next try: it goes now, and an old token is void', async () => {
    const work = await direct(WAITING)
    await passTime(stage.pool, [work.deliveryId])
    const swept = (await sweepDue(stage.pool, 100)).deliveries.find(
      ({ deliveryId }) => deliveryId === work.deliveryId,
    )
    const { work: messages } = await replayEvents(stage.pool, tenant.tenantId, [work.eventId])
    expect(messages[0]?.token).toBeGreaterThan(swept?.token ?? 0)
    const old = { tenantId: tenant.tenantId, id: work.deliveryId, token: swept?.token ?? 0 }
    expect(await renewLeases(stage.pool, [old])).toEqual(new Map())
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      waiting_count: 0,
      open_count: 1,
      attempts: 0,
    })
  })

  test('queues only the deliveries that did not succeed and are not under way', async () => {
    const works = (await acceptTyped(stage.pool, tenant, Array.from({ length: 5 }, newId))) as [
      TestDelivery,
      TestDelivery,
      TestDelivery,
      TestDelivery,
      TestDelivery,
    ]
    const [dead, waiting, delivered, queued, delivering] = works
    await recordAttempts(stage.pool, [
      attemptOf(dead, DEAD),
      attemptOf(waiting, WAITING),
      attemptOf(delivered, DELIVERED),
    ])
    await beginAttempts(stage.pool, [
      { tenantId: tenant.tenantId, id: delivering.deliveryId, token: delivering.token },
    ])
    const { work } = await replayEvents(stage.pool, tenant.tenantId, [dead.eventId])
    expect(work.map(({ deliveryId }) => deliveryId).sort()).toEqual(
      [dead.deliveryId, waiting.deliveryId].sort(),
    )
    const states = await Promise.all(
      works.map(async ({ deliveryId }) => (await deliveryRow(stage.pool, deliveryId))['state']),
    )
    expect(states).toEqual([0, 0, 3, 0, 1])
    expect(await dueRow(stage.pool, queued.deliveryId)).toMatchObject({ token: queued.token })
    expect(await eventRow(stage.pool, dead.eventId)).toMatchObject({
      open_count: 4,
      delivering_count: 1,
      waiting_count: 0,
      dead_count: 0,
    })
  })

  test('of many: what can’t be replayed, is unknown or another tenant’s is not among them', async () => {
    const works = [await direct(DEAD), await direct(DELIVERED), await direct(WAITING)] as const
    const [queued] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
    const ids = [...works, queued].map(({ eventId }) => eventId)
    expect((await replayEvents(stage.pool, newId(), ids)).eventIds.size).toBe(0)
    const { eventIds } = await replayEvents(stage.pool, tenant.tenantId, [...ids, newId()])
    expect([...eventIds].sort()).toEqual([works[0].eventId, works[2].eventId].sort())
  })

  test('asked for twice at once happens once', async () => {
    const work = await direct(DEAD)
    const answers = await Promise.all(
      [1, 2, 3].map(() => replayEvents(stage.pool, tenant.tenantId, [work.eventId])),
    )
    expect(answers.filter(({ eventIds }) => eventIds.size === 1)).toHaveLength(1)
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ open_count: 1, dead_count: 0 })
  })

  test('of one that is parked leases it to the caller', async () => {
    const work = await direct(WAITING)
    const token = (await dueRow(stage.pool, work.deliveryId))?.token ?? 0
    const [backlog] = await parkDeliveries(stage.pool, [{ ...work, token }])
    const { eventIds, work: messages } = await replayEvents(stage.pool, tenant.tenantId, [
      work.eventId,
    ])
    expect([...eventIds]).toEqual([work.eventId])
    expect(messages).toMatchObject([
      { deliveryId: work.deliveryId, attempts: 1, attemptsBefore: 1 },
    ])
    expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject({ leased: true })
    if (backlog === undefined) throw new Error('no backlog was made')
    expect(await takeParked(stage.pool, backlog, 10)).toMatchObject({ deliveries: [], unparked: 0 })
  })
})

describe('edit', () => {
  const edit = { payload: '{"n": 2.0}', headers: '{"b":"c"}' }

  test.each([
    ['dead', DEAD],
    ['waiting', WAITING],
  ] as const)('of one that is %s changes what it names and leaves its state', async (_, next) => {
    const work = await direct(next)
    const before = await eventRow(stage.pool, work.eventId)
    expect(await editEvent(stage.pool, tenant.tenantId, work.eventId, edit, false)).toEqual({
      outcome: 'edited',
      replayed: null,
    })
    expect(await eventRow(stage.pool, work.eventId)).toEqual({ ...before, ...edit })
  })

  test('with a replay sends what was edited', async () => {
    const work = await direct(DEAD)
    const answer = await editEvent(
      stage.pool,
      tenant.tenantId,
      work.eventId,
      { payload: '{"n":\0 3}' },
      true,
    )
    expect(answer).toMatchObject({
      outcome: 'edited',
      replayed: { work: [{ payload: '{"n":\ufffd 3}', attempts: 1, attemptsBefore: 1 }] },
    })
  })

  test.each([false, true])(
    'of one that is queued, under way or delivered is refused (replay: %s)',
    async (replay) => {
      const [queued, begun] = (await acceptDirect(stage.pool, tenant, 2)) as [
        TestDelivery,
        TestDelivery,
      ]
      await beginAttempts(stage.pool, [
        { tenantId: tenant.tenantId, id: begun.deliveryId, token: begun.token },
      ])
      for (const { eventId } of [queued, begun, await direct(DELIVERED)]) {
        const answer = await editEvent(stage.pool, tenant.tenantId, eventId, edit, replay)
        expect(answer).toEqual({ outcome: 'wrong-state', refusals: new Set() })
        expect(await eventRow(stage.pool, eventId)).toMatchObject({
          payload: '{"n": 1.0}',
          headers: null,
        })
      }
    },
  )

  test('of another tenant’s, or of none, is refused', async () => {
    const work = await direct(DEAD)
    expect(await editEvent(stage.pool, newId(), work.eventId, edit, true)).toMatchObject({
      outcome: 'wrong-state',
    })
    expect(await editEvent(stage.pool, tenant.tenantId, newId(), edit, true)).toMatchObject({
      outcome: 'wrong-state',
    })
  })

  test('of one dead among others under way: only together with a replay', async () => {
    const [dead, begun] = (await acceptTyped(stage.pool, tenant, [newId(), newId()])) as [
      TestDelivery,
      TestDelivery,
    ]
    await recordAttempts(stage.pool, [attemptOf(dead, DEAD)])
    await beginAttempts(stage.pool, [
      { tenantId: tenant.tenantId, id: begun.deliveryId, token: begun.token },
    ])
    expect(await editEvent(stage.pool, tenant.tenantId, dead.eventId, edit, false)).toMatchObject({
      outcome: 'wrong-state',
    })
    expect(await editEvent(stage.pool, tenant.tenantId, dead.eventId, edit, true)).toMatchObject({
      outcome: 'edited',
    })
  })

  const destination = 'https://example.org/moved?x=1'

  test('of a destination moves its delivery to that target', async () => {
    const work = await direct(DEAD)
    const answer = await editEvent(stage.pool, tenant.tenantId, work.eventId, { destination }, true)
    expect(answer).toMatchObject({ replayed: { work: [{ destination }] } })
    const target = directTargetId(tenant.tenantId, destination)
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ target_id: target })
    expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject({ target_id: target })
  })

  test.each([false, true])(
    'of a destination leaves the backlog of the old one (replay: %s)',
    async (replay) => {
      const work = await direct(WAITING)
      const token = (await dueRow(stage.pool, work.deliveryId))?.token ?? 0
      await parkDeliveries(stage.pool, [{ ...work, token }])
      await editEvent(stage.pool, tenant.tenantId, work.eventId, { destination }, replay)
      expect(await countRows(stage.pool, 'parked', 'delivery_id = $1', [work.deliveryId])).toBe(0)
      expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject({
        kind: 1,
        leased: replay,
        target_id: directTargetId(tenant.tenantId, destination),
      })
    },
  )

  test('of an event by type gives it no destination', async () => {
    const [work] = (await acceptTyped(stage.pool, tenant, [newId()])) as [TestDelivery]
    await recordAttempts(stage.pool, [attemptOf(work, DEAD)])
    await editEvent(stage.pool, tenant.tenantId, work.eventId, { destination, ...edit }, true)
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      destination: null,
      payload: edit.payload,
    })
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({
      target_id: work.endpointId,
    })
  })
})
