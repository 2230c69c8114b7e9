import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptTyped,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { fanOut, readWaitingEvents } from './fan-out.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore({ cachedPlans: true })
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await stage.close()
})

describe('fan-out', () => {
  test('reads what waits, in the order of acceptance, with the tenant’s configuration version', async () => {
    const events = [
      typedEvent(tenant, { headers: '{"a":"b"}', maxAttempts: 7, priority: 9 }),
      typedEvent(tenant),
    ]
    await acceptEvents(stage.pool, events)
    const done = await acceptTyped(stage.pool, tenant, [])
    expect(done).toEqual([])
    const ids = [...events].reverse().map(({ id }) => ({ tenantId: tenant.tenantId, eventId: id }))
    const waiting = await readWaitingEvents(stage.pool, [
      ...ids,
      { tenantId: newId(), eventId: events[0]?.id ?? '' },
    ])
    expect(waiting.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    expect(waiting[0]).toEqual({
      tenantId: tenant.tenantId,
      id: events[0]?.id,
      projectId: tenant.projectId,
      eventType: 'order.paid',
      endpointIds: null,
      payload: '{"n": 1.0}',
      headers: '{"a":"b"}',
      maxAttempts: 7,
      priority: 9,
      seq: expect.any(Number),
      traceId: 'trace',
      traceparent: null,
      configVersion: 1,
    })
    await fanOut(
      stage.pool,
      events.map(({ id }) => ({ tenantId: tenant.tenantId, eventId: id, deliveries: [] })),
    )
    expect(await readWaitingEvents(stage.pool, ids)).toEqual([])
  })

  test('reads the endpoints that an event names, as they were given', async () => {
    const endpointIds = [newId(), newId()]
    const event = typedEvent(tenant, { endpointIds })
    await acceptEvents(stage.pool, [event, typedEvent(tenant)])
    const ids = [{ tenantId: tenant.tenantId, eventId: event.id }]
    expect(await readWaitingEvents(stage.pool, ids)).toMatchObject([{ endpointIds }])
  })

  test('makes a delivery an endpoint, each leased, and the event waits no more', async () => {
    const endpoints = [newId(), newId(), newId()]
    const works = await acceptTyped(stage.pool, tenant, endpoints)
    const eventId = works[0]?.eventId ?? ''
    const event = await eventRow(stage.pool, eventId)
    expect(event).toMatchObject({ open_count: 3, ended_at: null, fanned_out_at: expect.any(Date) })
    expect(await dueRow(stage.pool, eventId)).toBeUndefined()
    for (const work of works) {
      const row = await deliveryRow(stage.pool, work.deliveryId)
      expect(row).toMatchObject({
        event_id: eventId,
        endpoint_id: work.endpointId,
        target_id: work.endpointId,
      })
      expect(row).toMatchObject({ seq: event['seq'], priority: 5, state: 0 })
      const due = { kind: 1, leased: true, token: work.token, target_id: work.endpointId }
      expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject(due)
    }
  })

  test('to nobody: the event is delivered', async () => {
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    await fanOut(stage.pool, [{ tenantId: tenant.tenantId, eventId: event.id, deliveries: [] }])
    const now = expect.any(Date)
    expect(await eventRow(stage.pool, event.id)).toMatchObject({
      open_count: 0,
      delivered_at: now,
      ended_at: now,
    })
    expect(await dueRow(stage.pool, event.id)).toBeUndefined()
  })

  test('of the same events by several at once happens once', async () => {
    const events = Array.from({ length: 20 }, () => typedEvent(tenant))
    await acceptEvents(stage.pool, events)
    const calls = Array.from({ length: 4 }, () =>
      events.map(({ id }) => ({
        tenantId: tenant.tenantId,
        eventId: id,
        deliveries: [1, 2].map(() => ({ deliveryId: newId(), endpointId: newId() })),
      })),
    )
    const made = await Promise.all(calls.map((call) => fanOut(stage.pool, call)))
    expect(made.map(({ size }) => size).reduce((sum, size) => sum + size, 0)).toBe(40)
    for (const { id } of events)
      expect(await countRows(stage.pool, 'deliveries', 'event_id = $1', [id])).toBe(2)
  })

  test('of another tenant’s event does nothing', async () => {
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    const deliveries = [{ deliveryId: newId(), endpointId: newId() }]
    expect(
      await fanOut(stage.pool, [{ tenantId: newId(), eventId: event.id, deliveries }]),
    ).toEqual(new Map())
    expect(await eventRow(stage.pool, event.id)).toMatchObject({ fanned_out_at: null })
  })
})
