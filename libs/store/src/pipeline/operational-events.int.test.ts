/**
 * For every way in which an event ends dead its subscribers are told, once, by the transaction of
 * that end.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { endpointUpdated } from '@posthorn/domain/operational-events'
import { findBroken } from '../invariants.fixture.ts'
import { disableEndpoint } from '../disable-endpoint.ts'
import {
  acceptDirect,
  acceptOne,
  acceptTyped,
  attemptOf,
  countRows,
  eventRow,
  makeTenant,
  openTestStore,
  passTime,
  recordAll,
  type TestStore,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { inTransaction } from '../transaction.ts'
import { acceptEvents } from './accept-events.ts'
import { acknowledge } from './acknowledge.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { expireParked } from './expire-parked.ts'
import { fanOutInOrder } from './fan-out.ts'
import { countFanOutFailures, MAX_FAN_OUT_ROUNDS } from './fan-out-failures.ts'
import { parkDeliveries } from './backlogs.ts'
import { relayOperationalEvents, publishOperationalEvents } from './operational-events.ts'
import { fetchVisible } from './poll.ts'
import { replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore({ cachedPlans: true })
})
afterAll(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await stage.close()
})
beforeEach(async () => {
  tenant = await makeTenant(stage.pool)
  await subscribe(['order.*', 'service.event.*'])
})

async function addEndpoint(config: object, of = tenant): Promise<string> {
  const id = newId()
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [of.tenantId, id, of.projectId, JSON.stringify({ eventTypes: [], ...config })],
  )
  return id
}

const subscribe = (eventTypes: string[], of = tenant): Promise<string> =>
  addEndpoint({ eventTypes }, of)

const written = (of = tenant): Promise<number> =>
  countRows(stage.pool, 'operational_events', 'tenant_id = $1', [of.tenantId])

interface Told {
  type: string
  key: string
  payload: Record<string, unknown>
}

/** What has become of all that was written. */
async function told(of = tenant): Promise<Told[]> {
  while ((await relayOperationalEvents(stage.pool, 100)).rows > 0);
  const { rows } = await stage.pool.query(
    `SELECT event_type AS type, idempotency_key AS key, payload FROM events
     WHERE tenant_id = $1 AND starts_with(event_type, 'service.') ORDER BY seq`,
    [of.tenantId],
  )
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) }))
}

async function expectDead(eventId: string, reason: string, attempts: number): Promise<void> {
  const { event_type: eventType, destination, ended_at: at } = await eventRow(stage.pool, eventId)
  // In the transaction of its end: nobody has relayed anything yet.
  expect(await written()).toBe(1)
  const { projectId } = tenant
  expect(await told()).toEqual([
    {
      type: 'service.event.dead',
      key: expect.stringMatching(new RegExp(`^service\\.event\\.dead:${eventId}:\\d+$`)),
      payload: {
        eventId,
        projectId,
        eventType,
        destination,
        attempts,
        reason,
        at: (at as Date).toISOString(),
      },
    },
  ])
  expect(await written()).toBe(0)
}

const dies = { state: 'dead', reason: 'attempts used up' } as const
const pollEndpoint = (): Promise<string> => addEndpoint({ deliveryMode: 'poll', maxRetries: 1 })

describe('an event that ends dead is told of', () => {
  test('when its attempts are used up', async () => {
    const work = await acceptOne(stage.pool, tenant)
    await recordAll(stage.pool, [attemptOf(work, dies)])
    await expectDead(work.eventId, 'attempts used up', 1)
  })

  test('when the last of its deliveries succeeds and another is dead', async () => {
    const works = await acceptTyped(stage.pool, tenant, [newId(), newId()])
    const [dead, fine] = works as [TestDelivery, TestDelivery]
    await recordAll(stage.pool, [attemptOf(dead, dies)])
    expect(await written()).toBe(0)
    await recordAll(stage.pool, [attemptOf(fine, { state: 'delivered' })])
    await expectDead(dead.eventId, 'attempts used up', 1)
  })

  test('when it is given up without an attempt', async () => {
    const [work] = (await acceptTyped(stage.pool, tenant, [newId()])) as [TestDelivery]
    await cancelDeliveries(stage.pool, [{ ...work, reason: 'endpoint deleted' }])
    await expectDead(work.eventId, 'endpoint deleted', 0)
  })

  test('when it waits in a lane that is given up as a whole', async () => {
    const endpointId = newId()
    const events = [typedEvent(tenant), typedEvent(tenant)]
    await acceptEvents(stage.pool, events)
    const plans = events.map(({ id: eventId }) => ({
      tenantId: tenant.tenantId,
      eventId,
      deliveries: [{ deliveryId: newId(), endpointId, lane: '' }],
    }))
    const { tokens } = await fanOutInOrder(stage.pool, tenant.tenantId, plans)
    const [[deliveryId, token]] = [...tokens] as [[string, number]]
    const head = { endpointId, lane: '', token, whole: true }
    const { tenantId } = tenant
    await cancelDeliveries(stage.pool, [{ tenantId, deliveryId, reason: 'endpoint deleted', head }])
    const ids = (await told()).map(({ payload }) => payload['eventId'])
    expect(ids.sort()).toEqual(events.map(({ id }) => id).sort())
  })

  test('when it can’t be fanned out', async () => {
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    const failure = { tenantId: tenant.tenantId, eventId: event.id, reason: 'no way' }
    for (let round = 0; round < MAX_FAN_OUT_ROUNDS; round += 1)
      await countFanOutFailures(stage.pool, [failure])
    await expectDead(event.id, 'no way', 0)
  })

  test('when it was parked for too long', async () => {
    const work = await acceptOne(stage.pool, tenant)
    await parkDeliveries(stage.pool, [work])
    await stage.pool.query(`UPDATE parked SET parked_at = now() - interval '31 days'`)
    await expireParked(stage.pool, 30, 100)
    await expectDead(work.eventId, 'expired', 0)
  })

  test('when it is never acknowledged', async () => {
    const endpointId = await pollEndpoint()
    const [work] = (await acceptTyped(stage.pool, tenant, [endpointId])) as [TestDelivery]
    await fetchVisible(stage.pool, { ...tenant, endpointId }, 10, 30_000)
    await passTime(stage.pool, [work.deliveryId])
    await sweepDue(stage.pool, 100)
    await expectDead(work.eventId, 'not acknowledged', 1)
  })

  test('when what was fetched is not acknowledged before its endpoint is deleted', async () => {
    const endpointId = await pollEndpoint()
    const [work] = (await acceptTyped(stage.pool, tenant, [endpointId])) as [TestDelivery]
    await fetchVisible(stage.pool, { ...tenant, endpointId }, 10, 30_000)
    await stage.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
    await passTime(stage.pool, [work.deliveryId])
    await sweepDue(stage.pool, 100)
    await expectDead(work.eventId, 'endpoint deleted', 1)
  })

  test('when an acknowledgement ends it and its other delivery is dead', async () => {
    const endpointId = await pollEndpoint()
    const works = await acceptTyped(stage.pool, tenant, [newId(), endpointId])
    await recordAll(stage.pool, [attemptOf(works[0] as TestDelivery, dies)])
    await fetchVisible(stage.pool, { ...tenant, endpointId }, 10, 30_000)
    const { eventId } = works[0] as TestDelivery
    await acknowledge(stage.pool, { ...tenant, endpointId }, [eventId])
    await expectDead(eventId, 'attempts used up', 1)
  })

  test('each time that it does', async () => {
    const work = await acceptOne(stage.pool, tenant)
    await recordAll(stage.pool, [attemptOf(work, dies)])
    await replayEvents(stage.pool, tenant.tenantId, [work.eventId])
    await recordAll(stage.pool, [attemptOf({ ...work, attempts: 1 }, dies)])
    // At one instant too, for it is not the time that tells them apart.
    const keys = (await told()).map(({ key }) => key)
    expect([keys.length, new Set(keys).size]).toEqual([2, 2])
  })
})

describe('nothing is told', () => {
  test('of what is delivered, fails once, or is recorded twice', async () => {
    const works = await acceptDirect(stage.pool, tenant, 3)
    const [one, other, twice] = works as [TestDelivery, TestDelivery, TestDelivery]
    const attempt = attemptOf(twice, dies)
    await recordAll(stage.pool, [
      attemptOf(one, { state: 'delivered' }),
      attemptOf(other, { state: 'waiting', afterMs: 60_000 }),
      attempt,
    ])
    await recordAll(stage.pool, [attempt])
    expect(await told()).toHaveLength(1)
  })

  test('of an operational event', async () => {
    const event = typedEvent(tenant, { eventType: 'service.event.dead' })
    await acceptEvents(stage.pool, [event])
    const [deliveryId, { tenantId }] = [newId(), tenant]
    await fanOutInOrder(stage.pool, tenantId, [
      { tenantId, eventId: event.id, deliveries: [{ deliveryId, endpointId: newId() }] },
    ])
    await cancelDeliveries(stage.pool, [{ tenantId, deliveryId, reason: 'endpoint deleted' }])
    expect((await eventRow(stage.pool, event.id))['dead_count']).toBe(1)
    expect(await written()).toBe(0)
  })

  test('without a subscriber in the very project, to the very type, at the time', async () => {
    const other = await makeTenant(stage.pool)
    await subscribe(['*', 'order.*'], other)
    const die = async (of: Tenant): Promise<void> => {
      await recordAll(stage.pool, [attemptOf(await acceptOne(stage.pool, of), dies)])
    }
    await die(other)
    expect(await written(other)).toBe(0)
    const elsewhere = { ...other, projectId: newId() }
    await die(elsewhere)
    await subscribe(['service.endpoint.updated'], other)
    await die(other)
    // Somebody asks for `service.`, so it is written; not for this, so it goes.
    expect([await written(other), await told(other)]).toEqual([1, []])
    await subscribe(['service.*'], other)
    await die(elsewhere)
    expect(await told(other)).toEqual([])
    await stage.pool.query('UPDATE endpoints SET deleted_at = now() WHERE tenant_id = $1', [
      other.tenantId,
    ])
    await die(other)
    expect(await written(other)).toBe(0)
  })

  test('of what was rolled back', async () => {
    const work = await acceptOne(stage.pool, tenant)
    await expect(
      inTransaction(stage.pool, async (client) => {
        await client.query(`UPDATE endpoints SET status = 'paused' WHERE tenant_id = $1`, [
          tenant.tenantId,
        ])
        await recordAll(client as typeof stage.pool, [attemptOf(work, dies)])
        throw new Error('the process dies')
      }),
    ).rejects.toThrow('the process dies')
    expect(await written()).toBe(0)
    await recordAll(stage.pool, [attemptOf(work, dies)])
    expect(await told()).toHaveLength(1)
  })
})

describe('relaying', () => {
  const updated = (version: number, of = tenant) =>
    endpointUpdated({ ...of, endpointId: newId() }, { version, changes: ['url'], atMs: 1_000 })

  test('a fact is told once, however often it is written and by however many relayed', async () => {
    await subscribe(['service.endpoint.*'])
    const [first, next] = [updated(2), updated(3)]
    await publishOperationalEvents(stage.pool, [
      first,
      first,
      next,
      updated(2, { ...tenant, projectId: newId() }),
    ])
    await Promise.all([1, 2, 3].map(() => relayOperationalEvents(stage.pool, 100)))
    await publishOperationalEvents(stage.pool, [first])
    const all = await told()
    expect(all.map(({ key }) => key)).toEqual(
      [first, next].map(({ fact }) => `service.endpoint.updated:${fact}`),
    )
    expect(all[0]?.payload).toEqual(first.data)
    await publishOperationalEvents(stage.pool, [])
  })

  test('who has many leaves the others their share', async () => {
    const other = await makeTenant(stage.pool)
    await subscribe(['service.*'], other)
    await subscribe(['service.*'])
    await publishOperationalEvents(
      stage.pool,
      Array.from({ length: 300 }, (_, n) => updated(n)),
    )
    await publishOperationalEvents(stage.pool, [updated(1, other), updated(2, other)])
    await relayOperationalEvents(stage.pool, 20)
    expect(await written(other)).toBe(0)
    expect(await told()).toHaveLength(300)
  })

  test('an endpoint that is disabled is told of by the same transaction', async () => {
    await subscribe(['service.endpoint.disabled'])
    const endpointId = await addEndpoint({ url: 'https://example.com/' })
    const gone = { ...tenant, endpointId, version: 1, url: 'https://example.com/', reason: 'gone' }
    expect(await disableEndpoint(stage.pool, { ...gone, version: 2 })).toBe(false)
    expect(await written()).toBe(0)
    expect(await disableEndpoint(stage.pool, gone)).toBe(true)
    expect(await disableEndpoint(stage.pool, gone)).toBe(false)
    expect(await told()).toMatchObject([
      { payload: { endpointId, status: 'disabled', reason: 'gone', version: 1 } },
    ])
  })
})
