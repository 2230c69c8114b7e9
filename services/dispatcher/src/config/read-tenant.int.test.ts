/** The rate of an endpoint by the plan of its tenant. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import type { PlanName } from '@posthorn/domain/plans'
import { newId } from '@posthorn/domain/ids'
import { MAX_SMALL } from '@posthorn/store/load-tenants'
import { subscribe } from '@posthorn/testing/subscribe'
import { createRig, type Rig } from '../dispatcher.fixture.ts'
import { readSmallTenantConfigs, readTenantConfig } from './read-tenant.ts'

let rig: Rig
beforeAll(async () => {
  rig = await createRig()
})
afterAll(async () => await rig.close())

const ASKED = [0, 10, 50, 1_000]

function depsOf(defaultPlan: PlanName) {
  const names = deliveryHeaderNames(brandOf('Service'))
  return { pool: rig.pool, seal: rig.seal, names, defaultPlan }
}

async function ratesOf(endpointIds: readonly string[], defaultPlan: PlanName): Promise<unknown[]> {
  const { value } = await readTenantConfig(depsOf(defaultPlan), rig.tenantId)
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

test('with others it is read as alone, while it has few endpoints', async () => {
  const deps = depsOf('self_hosted')
  const { tenantId } = rig
  const unknown = newId()
  const alone = await readTenantConfig(deps, tenantId)
  const urlsOf = ({ value }: typeof alone) =>
    [...(value?.endpoints.values() ?? [])].map(({ target }) => target?.url)
  const small = await readSmallTenantConfigs(deps, [unknown, tenantId])
  expect([...small.keys()].sort()).toEqual([unknown, tenantId].sort())
  expect(small.get(unknown)).toEqual(await readTenantConfig(deps, unknown))
  const own = small.get(tenantId) ?? alone
  expect(urlsOf(own)).toHaveLength(ASKED.length)
  expect(urlsOf(own).sort()).toEqual(urlsOf(alone).sort())
  expect([own.version, own.bytes]).toEqual([alone.version, alone.bytes])
  for (let n = ASKED.length; n <= MAX_SMALL; n += 1)
    await rig.addEndpoint({ url: `http://127.0.0.1:${n}/` })
  const large = await readSmallTenantConfigs(deps, [tenantId, unknown])
  expect([...large.keys()]).toEqual([unknown])
  expect(urlsOf(await readTenantConfig(deps, tenantId))).toHaveLength(MAX_SMALL + 1)
})
