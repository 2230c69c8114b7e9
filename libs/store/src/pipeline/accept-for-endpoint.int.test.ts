import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
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
import { acceptForEndpoint } from './accept-for-endpoint.ts'
import { readWaitingEvents } from './fan-out.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await stage.close()
})

test('makes one delivery, leased to whoever hears of it, and leaves nothing to fan out', async () => {
  const event = typedEvent(tenant)
  const endpointId = newId()
  const accepted = await acceptForEndpoint(stage.pool, event, endpointId)
  expect(accepted?.polls).toEqual([])
  expect(accepted?.work).toHaveLength(1)
  const [message] = accepted!.work
  expect(message).toMatchObject({
    eventId: event.id,
    endpointId,
    payload: event.payload,
    attempts: 0,
  })
  expect(await deliveryRow(stage.pool, message!.deliveryId)).toMatchObject({
    endpoint_id: endpointId,
    target_id: endpointId,
    state: 0,
  })
  expect(await dueRow(stage.pool, message!.deliveryId)).toMatchObject({
    token: message!.token,
    leased: true,
  })
  expect(await dueRow(stage.pool, event.id)).toBeUndefined()
  expect((await eventRow(stage.pool, event.id)).fanned_out_at).not.toBeNull()
  const waiting = [{ tenantId: tenant.tenantId, eventId: event.id }]
  expect(await readWaitingEvents(stage.pool, waiting)).toEqual([])
})

test('of a key that is taken it makes nothing', async () => {
  const first = typedEvent(tenant)
  await acceptForEndpoint(stage.pool, first, newId())
  const again = typedEvent(tenant, { idempotencyKey: first.idempotencyKey })
  expect(await acceptForEndpoint(stage.pool, again, newId())).toBeNull()
  expect(await countRows(stage.pool, 'events', 'id = $1', [again.id])).toBe(0)
  expect(await countRows(stage.pool, 'deliveries', 'event_id = $1', [again.id])).toBe(0)
})
