import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptTyped,
  addEndpoint,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { acceptEvents, type NewEvent } from './accept-events.ts'
import {
  createReplay,
  type LeasedReplay,
  type NewReplay,
  readReplay,
  replaySlice,
  takeReplay,
} from './bulk-replays.ts'
import { fanOut } from './fan-out.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'

let stage: TestStore
let tenant: Tenant
let endpointId: string
beforeAll(async () => {
  stage = await openTestStore()
})
beforeEach(async () => {
  tenant = await makeTenant(stage.pool)
  endpointId = await makeEndpoint()
})
afterEach(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await stage.pool.query('DELETE FROM replays')
})
afterAll(async () => {
  await stage.close()
})

const DEAD = { state: 'dead', reason: 'attempts used up' } as const
const WAITING = { state: 'waiting', afterMs: 3_600_000 } as const
const DELIVERED = { state: 'delivered' } as const
const BOTH = [STATE_CODE.dead, STATE_CODE.waiting]

const makeEndpoint = (): Promise<string> => addEndpoint(stage.pool, tenant, {})

/**
 * An event's delivery to our endpoint, and to those given, each with what came of its first
 * attempt.
 */
async function tried(
  next: AttemptRecord['next'],
  others: readonly string[] = [],
): Promise<TestDelivery[]> {
  const works = await acceptTyped(stage.pool, tenant, [endpointId, ...others])
  await recordAttempts(
    stage.pool,
    works.map((work) => attemptOf(work, next)),
  )
  return works
}

async function begin(more: Partial<NewReplay> = {}): Promise<string> {
  const id = newId()
  const { total } = await createReplay(stage.pool, {
    ...tenant,
    id,
    endpointId,
    states: BOTH,
    sinceMs: Date.now() - 60_000,
    untilMs: Date.now() + 60_000,
    ...more,
  })
  expect(total).toBeGreaterThanOrEqual(0)
  return id
}

async function take(): Promise<LeasedReplay> {
  const replay = await takeReplay(stage.pool)
  if (replay === null) throw new Error('there is no job to take')
  return replay
}

async function states(works: readonly TestDelivery[]): Promise<unknown[]> {
  return await Promise.all(
    works.map(async ({ deliveryId }) => (await deliveryRow(stage.pool, deliveryId)).state),
  )
}

const { queued, dead, waiting, delivered } = STATE_CODE

test('queues again what is dead or waits for its next try, and leaves the rest', async () => {
  const works = [...(await tried(DEAD)), ...(await tried(WAITING)), ...(await tried(DELIVERED))]
  works.push(...(await acceptTyped(stage.pool, tenant, [endpointId])))
  const id = await begin()
  expect(await readReplay(stage.pool, tenant.tenantId, null, id)).toMatchObject({
    endpointId,
    total: 2,
    done: 0,
    endedAt: null,
  })
  const slice = await replaySlice(stage.pool, await take())
  expect(slice).toMatchObject({ queued: 2, ended: true, polls: [] })
  expect(slice?.work.map(({ deliveryId }) => deliveryId).sort()).toEqual(
    works
      .slice(0, 2)
      .map(({ deliveryId }) => deliveryId)
      .sort(),
  )
  expect(await states(works)).toEqual([queued, queued, delivered, queued])
  for (const { deliveryId, token, attempts, attemptsBefore } of slice!.work) {
    expect([attempts, attemptsBefore]).toEqual([1, 1])
    expect(await dueRow(stage.pool, deliveryId)).toMatchObject({ token, leased: true })
  }
  const ended = await readReplay(stage.pool, tenant.tenantId, null, id)
  expect(ended).toMatchObject({ total: 2, done: 2, endedAt: expect.any(Date) })
  expect(await takeReplay(stage.pool)).toBeNull()
})

test('only those in the states and of the events that were asked for', async () => {
  const before = await tried(DEAD)
  const works = [...(await tried(DEAD)), ...(await tried(WAITING))]
  // Ids of one process are in order, but several fall into one millisecond.
  await stage.pool.query('SELECT pg_sleep(0.002)')
  const at = Date.now()
  await stage.pool.query('SELECT pg_sleep(0.002)')
  const after = await tried(DEAD)
  await begin({ states: [dead], untilMs: at })
  expect(await replaySlice(stage.pool, await take())).toMatchObject({ queued: 2, ended: true })
  expect(await states([...before, ...works, ...after])).toEqual([queued, queued, waiting, dead])
  await begin({ sinceMs: timeOfId(after[0]!.eventId) })
  expect(await replaySlice(stage.pool, await take())).toMatchObject({ queued: 1 })
  expect(await states([...works, ...after])).toEqual([queued, waiting, queued])
})

test('deliveries whose ids are of earlier days than their events’', async () => {
  const aheadMs = 3 * 86_400_000
  const works = await Promise.all(
    [0, 1, 2].map(async (n) => {
      const id = idAt(Date.now() + aheadMs + n).slice(0, 14) + newId().slice(14)
      return (await acceptTyped(stage.pool, tenant, [endpointId], { id }))[0]!
    }),
  )
  await recordAttempts(
    stage.pool,
    works.map((work) => attemptOf(work, DEAD)),
  )
  const id = await begin({
    sinceMs: Date.now() + aheadMs - 60_000,
    untilMs: Date.now() + aheadMs + 60_000,
  })
  const job = await readReplay(stage.pool, tenant.tenantId, null, id)
  expect(job).toMatchObject({ total: 3 })
  expect(await replaySlice(stage.pool, await take(), 2)).toMatchObject({ queued: 2, ended: false })
  expect(await replaySlice(stage.pool, await take())).toMatchObject({ queued: 1, ended: true })
  expect(await states(works)).toEqual([queued, queued, queued])
})

test('an event’s other deliveries stay as they are, and its record is theirs', async () => {
  const other = newId()
  const [ours, theirs] = await tried(DEAD, [other])
  await begin()
  await replaySlice(stage.pool, await take())
  expect(await states([ours!, theirs!])).toEqual([queued, dead])
  expect(await eventRow(stage.pool, ours!.eventId)).toMatchObject({
    attempts: 1,
    dead_count: 1,
    open_count: 1,
    dead_reason: DEAD.reason,
  })
  const [alone] = await tried(DEAD)
  await begin()
  await replaySlice(stage.pool, await take())
  expect(await eventRow(stage.pool, alone!.eventId)).toMatchObject({
    attempts: 0,
    dead_count: 0,
    dead_reason: null,
  })
})

test('a large one goes slice by slice, each delivery once though it fails again meanwhile', async () => {
  const works = await many(15)
  const id = await begin()
  const first = await replaySlice(stage.pool, await take(), 10)
  expect(first).toMatchObject({ queued: 10, ended: false })
  expect(await readReplay(stage.pool, tenant.tenantId, null, id)).toMatchObject({
    total: 15,
    done: 10,
    endedAt: null,
  })
  await recordAttempts(
    stage.pool,
    first!.work.map((work) => attemptOf({ ...work, endpointId, targetId: endpointId }, DEAD)),
  )
  const second = await replaySlice(stage.pool, await take())
  expect(second).toMatchObject({ queued: 5, ended: true })
  const both = [...first!.work, ...second!.work].map(({ deliveryId }) => deliveryId)
  expect(new Set(both)).toEqual(new Set(works.map(({ deliveryId }) => deliveryId)))
  expect(await readReplay(stage.pool, tenant.tenantId, null, id)).toMatchObject({
    total: 15,
    done: 15,
  })
})

async function many(count: number): Promise<TestDelivery[]> {
  const events: NewEvent[] = Array.from({ length: count }, () => typedEvent(tenant))
  await acceptEvents(stage.pool, events)
  const deliveries = events.map(({ id }) => ({ eventId: id, deliveryId: newId() }))
  await fanOut(
    stage.pool,
    deliveries.map(({ eventId, deliveryId }) => ({
      tenantId: tenant.tenantId,
      eventId,
      deliveries: [{ deliveryId, endpointId }],
    })),
  )
  const works = deliveries.map((one) => ({
    ...tenant,
    ...one,
    endpointId,
    targetId: endpointId,
    token: 0,
    priority: 5,
    seq: 0,
    attempts: 0,
  }))
  await recordAttempts(
    stage.pool,
    works.map((work) => attemptOf(work, DEAD)),
  )
  return works
}

test('the job of a killed process goes on elsewhere when its lease ends, and it can do nothing more', async () => {
  const works = await tried(DEAD)
  await begin()
  const killed = await take()
  expect(await takeReplay(stage.pool)).toBeNull()
  await stage.pool.query(`UPDATE replays SET lease_until = now() - interval '1 ms'`)
  const next = await take()
  expect(await replaySlice(stage.pool, killed)).toBeNull()
  expect(await states(works)).toEqual([dead])
  expect(await replaySlice(stage.pool, next)).toMatchObject({ queued: 1, ended: true })
  expect(await replaySlice(stage.pool, next)).toBeNull()
  expect(await states(works)).toEqual([queued])
})

test('jobs take order', async () => {
  await many(11)
  const [one, two] = [await begin(), await begin()]
  const order: string[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    const replay = await take()
    order.push(replay.id)
    await replaySlice(stage.pool, replay, 10)
  }
  expect(order).toEqual([one, two, one, two])
  expect(await takeReplay(stage.pool)).toBeNull()
})

test('of a deleted endpoint nothing is queued again', async () => {
  const works = await tried(DEAD)
  const id = await begin()
  await stage.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
  expect(await replaySlice(stage.pool, await take())).toMatchObject({ queued: 0, ended: true })
  expect(await states(works)).toEqual([dead])
  expect(await readReplay(stage.pool, tenant.tenantId, null, id)).toMatchObject({
    total: 0,
    done: 0,
    endedAt: expect.any(Date),
  })
})

test('what is fetched by polls is shown to them', async () => {
  const works = await tried(DEAD)
  await stage.pool.query(`UPDATE endpoints SET config = '{"deliveryMode": "poll"}' WHERE id = $1`, [
    endpointId,
  ])
  await begin()
  const slice = await replaySlice(stage.pool, await take())
  const { tenantId } = tenant
  expect(slice).toMatchObject({ queued: 1, work: [], polls: [{ v: 1, tenantId, endpointId }] })
  const { deliveryId } = works[0] as TestDelivery
  expect(await countRows(stage.pool, 'parked', 'delivery_id = $1', [deliveryId])).toBe(1)
})

test('is read by its tenant and in its project alone', async () => {
  const id = await begin()
  const { tenantId, projectId } = tenant
  expect(await readReplay(stage.pool, tenantId, projectId, id)).not.toBeNull()
  expect(await readReplay(stage.pool, tenantId, newId(), id)).toBeNull()
  expect(await readReplay(stage.pool, newId(), null, id)).toBeNull()
})
