/** Endpoints in poll mode over a real Postgres: what the tests of polls have in common. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptTyped,
  addEndpoint,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  type TestDelivery,
} from '../store.fixture.ts'
import { fetchVisible, type PolledEvent, type PollTarget } from './poll.ts'
import { sweepDue } from './sweep.ts'

/** The store and the tenant of a test file and the endpoint of a test, as `usePolls` sets them. */
export let stage: TestStore
export let tenant: Tenant
export let target: PollTarget

/** A store for the tests of a file, which each leaves empty and whole, and an endpoint for each. */
export function usePolls(): void {
  beforeAll(async () => {
    stage = await openTestStore()
    tenant = await makeTenant(stage.pool)
  })
  beforeEach(async () => {
    target = await makeEndpoint()
  })
  afterEach(async () => {
    expect(await findBroken(stage.pool)).toEqual([])
    for (const table of ['due', 'parked', 'backlogs', 'attempts', 'deliveries', 'events']) {
      await stage.pool.query(`DELETE FROM ${table}`)
    }
  })
  afterAll(async () => {
    await stage.close()
  })
}

export async function makeEndpoint(config: object = {}): Promise<PollTarget> {
  const settings = { deliveryMode: 'poll', maxRetries: 2, ...config }
  const endpointId = await addEndpoint(stage.pool, tenant, settings)
  return { tenantId: tenant.tenantId, endpointId }
}

export async function send(count: number): Promise<TestDelivery[]> {
  const works: TestDelivery[] = []
  for (let n = 0; n < count; n += 1) {
    works.push(...(await acceptTyped(stage.pool, tenant, [target.endpointId])))
  }
  return works
}

export async function fetch(limit = 10, visibilityMs = 30_000): Promise<PolledEvent[]> {
  return await fetchVisible(stage.pool, target, limit, visibilityMs)
}

export const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id)
export const eventIds = (works: readonly TestDelivery[]): string[] =>
  works.map(({ eventId }) => eventId)

/** As if the time had passed, and the scheduler had looked. */
export async function expire(works: readonly TestDelivery[]) {
  await passTime(
    stage.pool,
    works.map(({ deliveryId }) => deliveryId),
  )
  return await sweepDue(stage.pool, 100)
}
