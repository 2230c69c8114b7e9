/** FIFO lanes over a real Postgres: what their tests have in common. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { type DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  attemptOf,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
} from '../store.fixture.ts'
import { acceptEvents, type NewEvent } from './accept-events.ts'
import { fanOutInOrder, readOldestWaiting, readWaitingEvents } from './fan-out.ts'
import { loadDueDeliveries } from './load-due-deliveries.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'

/** The store of a test file and the tenant of a test, which `makeLane` and `useNewTenant` set. */
export let stage: TestStore
export let tenant: Tenant

/** A store for the tests of a file; what each leaves is whole. */
export function useLanes(): void {
  afterEach(async () => expect(await findBroken(stage.pool)).toEqual([]))
  beforeAll(async () => {
    stage = await openTestStore()
  })
  afterAll(() => stage.close())
}

export async function useNewTenant(): Promise<void> {
  tenant = await makeTenant(stage.pool)
}

export async function accept(count: number, more: Partial<NewEvent> = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => typedEvent(tenant, more))
  await acceptEvents(stage.pool, events)
  return events.map(({ id }) => id)
}

/**
 * Fans out the tenant's oldest events, one delivery each to the endpoint, in the lane that its
 * payload names.
 */
export async function fanOutTo(endpointId: string, limit = 100): Promise<DueDelivery[]> {
  const { tenantId } = tenant
  const tokens = new Map<string, number | null>()
  // Whoever is overtaken by another takes what is the oldest then.
  for (let left = limit; left > 0; ) {
    const oldest = await readOldestWaiting(stage.pool, [{ tenantId, limit: left }])
    if (oldest.length === 0) break
    const planned = (await readWaitingEvents(stage.pool, oldest)).map(({ id, payload }) => ({
      tenantId,
      eventId: id,
      deliveries: [{ deliveryId: newId(), endpointId, lane: payload }],
    }))
    const done = await fanOutInOrder(stage.pool, tenantId, planned)
    for (const [id, token] of done.tokens) tokens.set(id, token)
    left -= done.written.length
  }
  const leased = [...tokens].map(([id, token]) => ({
    tenantId: tenant.tenantId,
    id,
    token: token ?? 0,
  }))
  return await loadDueDeliveries(stage.pool, leased)
}

/** A lane of as many deliveries; its head is leased to us. */
export async function makeLane(
  count: number,
  endpointId: string = newId(),
): Promise<{ endpointId: string; eventIds: string[]; head: DueDelivery }> {
  await useNewTenant()
  const eventIds = await accept(count)
  const [head] = await fanOutTo(endpointId)
  if (head === undefined) throw new Error('the lane has no head')
  return { endpointId, eventIds, head }
}

export function record(
  work: DueDelivery,
  next: AttemptRecord['next'],
  token = work.token,
): AttemptRecord {
  const attempt = attemptOf({ ...work, targetId: work.endpointId ?? '' }, next)
  return { ...attempt, head: { lane: work.lane ?? '', token } }
}

/** Delivers head after head and says whose events they were. */
export async function runDown(head: DueDelivery | undefined): Promise<string[]> {
  const order: string[] = []
  for (let at = head; at !== undefined; ) {
    order.push(at.eventId)
    const { written, released } = await recordAttempts(stage.pool, [
      record(at, { state: 'delivered' }),
    ])
    expect(written).toHaveLength(1)
    at = released[0]
  }
  return order
}
