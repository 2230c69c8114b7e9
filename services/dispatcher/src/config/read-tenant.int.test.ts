/** The rate of an endpoint by the plan of its tenant. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import type { PlanName } from '@posthorn/domain/plans'
import { subscribe } from '@posthorn/testing/subscribe'
import { createRig, type Rig } from '../dispatcher.fixture.ts'
import { readTenantConfig } from './read-tenant.ts'

let rig: Rig
beforeAll(async () => {
  rig = await createRig()
})
afterAll(async () => await rig.close())

const ASKED = [0, 10, 50, 1_000]

async function ratesOf(endpointIds: readonly string[], defaultPlan: PlanName): Promise<unknown[]> {
  const names = deliveryHeaderNames(brandOf('Service'))
  const { pool, seal, tenantId } = rig
  const { value } = await readTenantConfig({ pool, seal, names, defaultPlan }, tenantId)
  return endpointIds.map((id) => value?.endpoints.get(id)?.target?.rateLimitPerSec)
}

test('is at most the plan’s, also where the endpoint has none', async () => {
  const ids: string[] = []
  for (const rateLimitPerSec of ASKED)
    ids.push(await rig.addEndpoint({ url: 'http://127.0.0.1:1/', rateLimitPerSec }))
  expect(await ratesOf(ids, 'self_hosted')).toEqual(ASKED)
  expect(await ratesOf(ids, 'free')).toEqual([50, 10, 50, 50])
  await subscribe(rig.pool, rig.tenantId, 'starter')
  expect(await ratesOf(ids, 'free')).toEqual([200, 10, 50, 200])
  await subscribe(rig.pool, rig.tenantId, 'starter', 'canceled')
  expect(await ratesOf(ids, 'free')).toEqual([50, 10, 50, 50])
})
