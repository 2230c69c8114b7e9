/**
 * A delivery has so many attempts over all its replays, and no more; nothing is sent for ever
 * because its number is too large.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { newId } from '@posthorn/domain/ids'
import { MAX_TOTAL_ATTEMPTS } from '@posthorn/domain/classify-attempt'
import {
  acceptDirect,
  acceptTyped,
  attemptOf,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  type TestDelivery,
} from '../store.fixture.ts'
import { createReplay, replaySlice, takeReplay } from './bulk-replays.ts'
import { fetchVisible } from './poll.ts'
import { recordAttempts } from './record-attempts.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
let endpointId: string
beforeAll(async () => {
  stage = await openTestStore()
})
beforeEach(async () => {
  tenant = await makeTenant(stage.pool)
  endpointId = newId()
})
afterAll(async () => {
  await stage.close()
})

const DEAD = { state: 'dead', reason: 'attempts used up' } as const

async function makeEndpoint(config: object): Promise<void> {
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [tenant.tenantId, endpointId, tenant.projectId, config],
  )
}

async function setAttempts(work: TestDelivery, attempts: number): Promise<TestDelivery> {
  await stage.pool.query('UPDATE deliveries SET tries = $2, tries_before = $2 WHERE id = $1', [
    work.deliveryId,
    attempts,
  ])
  return { ...work, attempts }
}

/** Dead, with so many attempts. */
async function dead(work: TestDelivery, attempts: number): Promise<TestDelivery> {
  const before = await setAttempts(work, attempts - 1)
  expect((await recordAttempts(stage.pool, [attemptOf(before, DEAD)])).written).toHaveLength(1)
  return { ...work, attempts }
}

test('the last replay is of one that has an attempt left; then replays and edits with one are refused', async () => {
  const [fresh] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
  const work = await dead(fresh, MAX_TOTAL_ATTEMPTS - 1)
  const replayed = await replayEvents(stage.pool, tenant.tenantId, [work.eventId])
  expect(replayed.work).toMatchObject([{ attempts: MAX_TOTAL_ATTEMPTS - 1 }])
  await recordAttempts(stage.pool, [attemptOf(work, DEAD)])
  expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ tries: 30_000, state: 4 })

  const refused = await replayEvents(stage.pool, tenant.tenantId, [work.eventId])
  expect([refused.eventIds, refused.refusals]).toEqual([new Set(), new Set(['attempts'])])
  const edit = { payload: '{}' }
  expect(await editEvent(stage.pool, tenant.tenantId, work.eventId, edit, true)).toEqual({
    outcome: 'wrong-state',
    refusals: new Set(['attempts']),
  })
  expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ payload: '{"n": 1.0}' })
})

test('of an event’s deliveries those that have attempts left are replayed; a bulk replay passes over the others', async () => {
  await makeEndpoint({})
  const [ours, other] = (await acceptTyped(stage.pool, tenant, [endpointId, newId()])) as [
    TestDelivery,
    TestDelivery,
  ]
  await dead(ours, MAX_TOTAL_ATTEMPTS)
  await dead(other, 3)
  const job = { ...tenant, id: newId(), endpointId, states: [STATE_CODE.dead] }
  const span = { sinceMs: Date.now() - 60_000, untilMs: Date.now() + 60_000 }
  await createReplay(stage.pool, { ...job, ...span })
  const leased = await takeReplay(stage.pool)
  expect(await replaySlice(stage.pool, leased!)).toMatchObject({ queued: 0, ended: true })
  const replayed = await replayEvents(stage.pool, tenant.tenantId, [ours.eventId])
  expect(replayed.work.map(({ deliveryId }) => deliveryId)).toEqual([other.deliveryId])
  expect(replayed.refusals).toEqual(new Set(['attempts']))
})

test('a poll’s last fetch is the last', async () => {
  await makeEndpoint({ deliveryMode: 'poll', maxRetries: 25 })
  const [work] = (await acceptTyped(stage.pool, tenant, [endpointId])) as [TestDelivery]
  await setAttempts(work, MAX_TOTAL_ATTEMPTS - 2)
  for (const state of [STATE_CODE.queued, STATE_CODE.dead]) {
    expect(await fetchVisible(stage.pool, { ...tenant, endpointId }, 10, 60_000)).toHaveLength(1)
    await passTime(stage.pool, [work.deliveryId])
    await sweepDue(stage.pool, 10)
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ state })
  }
})

test.each([32_765, 32_766, 32_767])(
  'one of before there was a limit, with %d attempts, is recorded and ends',
  async (attempts) => {
    const [fresh] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
    const work = await setAttempts(fresh, attempts)
    const { written, refused } = await recordAttempts(stage.pool, [attemptOf(work, DEAD)])
    expect([written.length, refused]).toEqual([1, []])
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ state: STATE_CODE.dead })
    expect(await dueRow(stage.pool, work.deliveryId)).toBeUndefined()
  },
)
