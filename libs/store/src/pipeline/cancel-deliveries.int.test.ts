import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptOne,
  acceptTyped,
  attemptOf,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  recordAll,
  type TestStore,
  type Tenant,
  type TestDelivery,
} from '../store.fixture.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import type { AttemptRecord } from './record-attempts.ts'

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

const one = (more = {}): Promise<TestDelivery> => acceptOne(stage.pool, tenant, more)
const record = (...attempts: AttemptRecord[]): Promise<string[]> => recordAll(stage.pool, attempts)

describe('giving up without a try', () => {
  test('the delivery is dead, the event says why', async () => {
    const [first, second] = (await acceptTyped(stage.pool, tenant, [newId(), newId()])) as [
      TestDelivery,
      TestDelivery,
    ]
    const cancelled = {
      tenantId: tenant.tenantId,
      deliveryId: first.deliveryId,
      reason: 'endpoint deleted',
    }
    await cancelDeliveries(stage.pool, [cancelled])
    expect(await deliveryRow(stage.pool, first.deliveryId)).toMatchObject({
      state: 4,
      tries: 0,
      dead_reason: 'endpoint deleted',
    })
    expect(await eventRow(stage.pool, first.eventId)).toMatchObject({
      open_count: 1,
      dead_count: 1,
      attempts: 0,
      dead_reason: 'endpoint deleted',
      ended_at: null,
    })
    expect(await dueRow(stage.pool, first.deliveryId)).toBeUndefined()
    await cancelDeliveries(stage.pool, [cancelled])
    await cancelDeliveries(stage.pool, [])
    expect(await eventRow(stage.pool, first.eventId)).toMatchObject({ dead_count: 1 })
    await record(attemptOf(second, { state: 'delivered' }))
    expect(await eventRow(stage.pool, first.eventId)).toMatchObject({
      ended_at: expect.any(Date),
      delivered_at: null,
    })
  })

  test('what was delivered stays so', async () => {
    const work = await one()
    await record(attemptOf(work, { state: 'delivered' }))
    await cancelDeliveries(stage.pool, [
      { tenantId: tenant.tenantId, deliveryId: work.deliveryId, reason: 'x' },
    ])
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({
      state: 3,
      dead_reason: null,
    })
  })
})
