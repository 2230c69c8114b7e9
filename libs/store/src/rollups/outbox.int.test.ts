/**
 * Everything that is accepted, attempted or ended is counted once, by the statement that wrote it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { acknowledge } from '../pipeline/acknowledge.ts'
import { parkDeliveries } from '../pipeline/backlogs.ts'
import { cancelDeliveries } from '../pipeline/cancel-deliveries.ts'
import { expireParked } from '../pipeline/expire-parked.ts'
import { fanOut } from '../pipeline/fan-out.ts'
import { countFanOutFailures, MAX_FAN_OUT_ROUNDS } from '../pipeline/fan-out-failures.ts'
import { fetchVisible } from '../pipeline/poll.ts'
import { recordAttempts } from '../pipeline/record-attempts.ts'
import { editEvent } from '../pipeline/replay-events.ts'
import { sweepDue } from '../pipeline/sweep.ts'
import { acceptEvents } from '../pipeline/accept-events.ts'
import {
  addEndpoint,
  acceptDirect,
  acceptOne,
  acceptTyped,
  attemptOf,
  countRows,
  directEvent,
  makeTenant,
  openTestStore,
  passTime,
  recordAll,
  type Tenant,
  type TestStore,
  typedEvent,
} from '../store.fixture.ts'
import { percentile } from './latency-cells.ts'
import { readWindows, type WindowCounts } from './read-window.ts'
import { findMiscounted, foldAll } from './rollups.fixture.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore({ cachedPlans: true })
})
afterAll(async () => {
  await foldAll(stage.pool)
  expect(await findMiscounted(stage.pool)).toEqual([])
  expect(await countRows(stage.pool, 'rollup_outbox')).toBe(0)
  await stage.close()
})

/** The counts that are not zero, of the last minutes. */
async function counted(
  { tenantId }: Tenant,
  scope: { projectId?: string; endpointId?: string } = {},
): Promise<Record<string, number>> {
  const total = await windowOf({ tenantId, projectId: null, endpointId: null, ...scope })
  const { failures, latency, ...counts } = total
  const attempts = latency === null ? 0 : latency.reduce((a, b) => a + b, 0)
  return Object.fromEntries(
    Object.entries({ ...counts, attempts, ...failures }).filter(([, count]) => count > 0),
  )
}

async function windowOf(scope: {
  tenantId: string
  projectId: string | null
  endpointId: string | null
}): Promise<WindowCounts> {
  await foldAll(stage.pool)
  const [from, to] = [new Date(Date.now() - 600_000), new Date(Date.now() + 60_000)]
  const [total] = await readWindows(stage.pool, [{ ...scope, from, to }])
  return total as WindowCounts
}

async function pollEndpoint(tenant: Tenant): Promise<string> {
  return await addEndpoint(stage.pool, tenant, { deliveryMode: 'poll', maxRetries: 1 })
}

describe('the rollups count', () => {
  test('accepted events by project and tenant, and each idempotency key once', async () => {
    const tenant = await makeTenant(stage.pool)
    const events = [directEvent(tenant), directEvent(tenant), typedEvent(tenant)]
    await acceptEvents(stage.pool, events)
    await acceptEvents(
      stage.pool,
      events.map((event) => ({ ...event, id: newId() })),
    )
    expect(await counted(tenant)).toEqual({ accepted: 3 })
    expect(await counted(tenant, { projectId: tenant.projectId })).toEqual({ accepted: 3 })
  })

  test('accepted events that share a statement by their own tenants and projects', async () => {
    const [one, other] = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
    const second = { ...one, projectId: newId() }
    await acceptEvents(
      stage.pool,
      [one, other, second, one].map((tenant) => directEvent(tenant)),
    )
    expect(await counted(one)).toEqual({ accepted: 3 })
    expect(await counted(one, { projectId: one.projectId })).toEqual({ accepted: 2 })
    expect(await counted(one, { projectId: second.projectId })).toEqual({ accepted: 1 })
    expect(await counted(other)).toEqual({ accepted: 1 })
  })

  test('attempts by outcome and category, once though they are recorded twice', async () => {
    const tenant = await makeTenant(stage.pool)
    const endpointId = newId()
    const [first] = await acceptTyped(stage.pool, tenant, [endpointId])
    const [second] = await acceptTyped(stage.pool, tenant, [endpointId])
    const [third] = await acceptDirect(stage.pool, tenant, 1)
    if (first === undefined || second === undefined || third === undefined) throw new Error('none')
    const attempts = [
      attemptOf(first, { state: 'delivered' }, { durationMs: 80 }),
      attemptOf(
        second,
        { state: 'waiting', afterMs: 1_000 },
        { error: 'timeout: 30000 ms', statusCode: 0, durationMs: 30_000 },
      ),
      attemptOf(third, { state: 'dead', reason: 'attempts used up' }),
    ]
    await recordAll(stage.pool, attempts)
    await recordAttempts(stage.pool, attempts)
    await foldAll(stage.pool)
    await recordAttempts(stage.pool, attempts)
    expect(await counted(tenant, { endpointId })).toEqual({
      accepted: 2,
      succeeded: 1,
      failed: 1,
      timeouts: 1,
      timeout: 1,
      attempts: 2,
    })
    expect(await counted(tenant)).toEqual({
      accepted: 3,
      succeeded: 1,
      failed: 2,
      timeouts: 1,
      timeout: 1,
      http_5xx: 1,
      dead: 1,
      attempts: 3,
    })
    const { latency } = await windowOf({ tenantId: tenant.tenantId, projectId: null, endpointId })
    expect(Math.abs((percentile(latency ?? [], 50) ?? 0) / 80 - 1)).toBeLessThan(0.045)
    expect(Math.abs((percentile(latency ?? [], 99) ?? 0) / 30_000 - 1)).toBeLessThan(0.045)
  })

  test('an attempt of an edition that was edited since as a failure of no category', async () => {
    const tenant = await makeTenant(stage.pool)
    const work = await acceptOne(stage.pool, tenant)
    await recordAll(stage.pool, [attemptOf(work, { state: 'waiting', afterMs: 60_000 })])
    await editEvent(stage.pool, tenant.tenantId, work.eventId, { payload: '{}' }, false)
    const late = attemptOf({ ...work, attempts: 1 }, { state: 'delivered' })
    for (let time = 0; time < 2; time += 1) {
      const { superseded } = await recordAttempts(stage.pool, [late])
      expect(superseded).toEqual([work.deliveryId])
    }
    expect(await counted(tenant)).toEqual({
      accepted: 1,
      failed: 2,
      http_5xx: 1,
      other: 1,
      attempts: 2,
    })
  })

  test('what polls acknowledge as delivered, and what nobody acknowledges as dead', async () => {
    const tenant = await makeTenant(stage.pool)
    const endpointId = await pollEndpoint(tenant)
    const target = { tenantId: tenant.tenantId, endpointId }
    const [acknowledged] = await acceptTyped(stage.pool, tenant, [endpointId])
    await fetchVisible(stage.pool, target, 10, 30_000)
    await acknowledge(stage.pool, target, [acknowledged?.eventId ?? ''])
    await acknowledge(stage.pool, target, [acknowledged?.eventId ?? ''])
    const [left] = await acceptTyped(stage.pool, tenant, [endpointId])
    await fetchVisible(stage.pool, target, 10, 30_000)
    await passTime(stage.pool, [left?.deliveryId ?? ''])
    await sweepDue(stage.pool, 100)
    expect(await counted(tenant, { endpointId })).toEqual({
      accepted: 2,
      succeeded: 1,
      acknowledged: 1,
      dead: 1,
    })
    expect(await counted(tenant, { projectId: tenant.projectId })).toMatchObject({ dead: 1 })
  })

  test('what is cancelled, expires or is put aside as dead', async () => {
    const tenant = await makeTenant(stage.pool)
    const { tenantId } = tenant
    const endpointId = newId()
    const [cancelled] = await acceptTyped(stage.pool, tenant, [endpointId])
    const [parked] = await acceptTyped(stage.pool, tenant, [endpointId])
    if (cancelled === undefined || parked === undefined) throw new Error('none')
    const gone = { tenantId, deliveryId: cancelled.deliveryId, reason: 'endpoint deleted' }
    await cancelDeliveries(stage.pool, [gone])
    await cancelDeliveries(stage.pool, [gone])
    await parkDeliveries(stage.pool, [parked])
    await stage.pool.query(`UPDATE parked SET parked_at = now() - interval '31 days'`)
    await expireParked(stage.pool, 30, 10)
    expect(await counted(tenant, { endpointId })).toEqual({ accepted: 2, dead: 2 })
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    for (let round = 0; round < MAX_FAN_OUT_ROUNDS; round += 1) {
      await countFanOutFailures(stage.pool, [{ tenantId, eventId: event.id, reason: 'broken' }])
    }
    expect(await counted(tenant)).toEqual({ accepted: 3, dead: 3 })
  })

  test('an event without any subscriber as delivered', async () => {
    const tenant = await makeTenant(stage.pool)
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    const fannedOut = { tenantId: tenant.tenantId, eventId: event.id, deliveries: [] }
    await fanOut(stage.pool, [fannedOut])
    await fanOut(stage.pool, [fannedOut])
    expect(await counted(tenant)).toEqual({ accepted: 1, succeeded: 1, acknowledged: 1 })
  })
})
