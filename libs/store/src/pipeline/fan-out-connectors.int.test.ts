/** What fan-out writes for connectors: each event once, and nothing for those without any. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import {
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { fanOut, fanOutInOrder } from './fan-out.ts'
import { relayOperationalEvents, publishOperationalEvents } from './operational-events.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore({ cachedPlans: true })
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => await stage.close())

async function accept(): Promise<string> {
  const event = typedEvent(tenant)
  await acceptEvents(stage.pool, [event])
  return event.id
}

async function toldOf(eventId: string): Promise<string[]> {
  const { rows } = await stage.pool.query(
    `SELECT connector_id FROM alert_notifications
      WHERE tenant_id = $1 AND event_id = $2 AND target = connector_id AND due_at <= now()
      ORDER BY 1`,
    [tenant.tenantId, eventId],
  )
  return rows.map((row) => row.connector_id)
}

test.each([null, 'a lane'])('an event is told once to each connector (lane: %s)', async (lane) => {
  const [one, other] = [newId(), newId()]
  const [first, second] = [await accept(), await accept()]
  const { tenantId } = tenant
  const endpointId = newId()
  const plan = () =>
    [first, second].map((eventId, index) => ({
      tenantId,
      eventId,
      deliveries: [{ deliveryId: newId(), endpointId, lane }],
      connectors:
        index === 1
          ? []
          : [one, other].map((connectorId) => ({ notificationId: newId(), connectorId })),
    }))
  for (let repeat = 0; repeat < 3; repeat += 1) {
    if (lane === null) await fanOut(stage.pool, plan())
    else await fanOutInOrder(stage.pool, tenantId, plan())
  }
  expect(await toldOf(first)).toEqual([one, other])
  expect(await toldOf(second)).toEqual([])
})

test('a connector is a subscriber of operational events, in its project or all of them', async () => {
  const { tenantId, projectId } = tenant
  const publish = async (fact: string): Promise<number> => {
    const type = 'service.endpoint.disabled' as const
    await publishOperationalEvents(stage.pool, [{ tenantId, projectId, type, fact, data: {} }])
    return (await relayOperationalEvents(stage.pool, 10)).events.length
  }
  const subscribe = (name: string, project: string | null, types: string[]) =>
    stage.pool.query(
      `INSERT INTO connectors (tenant_id, id, project_id, name, type, config, event_types)
        VALUES ($1, $2, $3, $4, 'slack', '', $5)`,
      [tenantId, newId(), project, name, types],
    )
  expect(await publish('1')).toBe(0)
  await subscribe('a', null, ['order.*', '*'])
  expect(await publish('2')).toBe(0)
  await subscribe('b', projectId, ['service.event.*'])
  expect(await publish('3')).toBe(0)
  await subscribe('c', null, ['service.endpoint.*'])
  expect(await publish('4')).toBe(1)
})
