/** Erasing events wherever their deliveries are at that moment. */
import { beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import {
  acceptOne,
  acceptTyped,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  parkNew,
  passTime,
  recordAll,
} from '../store.fixture.ts'
import { eraseEvents, REDACTED, REDACTED_PAYLOAD } from './erase-events.ts'
import {
  accept,
  fanOutTo,
  makeLane,
  record,
  stage,
  tenant,
  useLanes,
  useNewTenant,
} from './lanes.fixture.ts'
import { recordAttempts } from './record-attempts.ts'
import { replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

useLanes()
beforeEach(useNewTenant)

async function erase(ids: readonly string[], more: object = {}): Promise<string[]> {
  const not = { isByKey: false, isByDestination: false, isByTrace: false, isByReason: false }
  const events = ids.map((id) => ({ id, ...not, ...more }))
  return await eraseEvents(stage.pool, tenant.tenantId, events)
}

const ERASED = { payload: REDACTED_PAYLOAD, headers: null, open_count: 0, dead_count: 1 }

test('an event that is being sent ends dead, and the result of its attempt is not recorded', async () => {
  const work = await acceptOne(stage.pool, tenant)
  expect(await erase([work.eventId])).toEqual([])
  expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
    ...ERASED,
    dead_reason: 'gdpr_erasure',
  })
  expect(await dueRow(stage.pool, work.eventId)).toBeUndefined()
  await recordAttempts(stage.pool, [attemptOf(work, { state: 'delivered' })])
  expect(await countRows(stage.pool, 'attempts', 'event_id = $1', [work.eventId])).toBe(0)
})

test('one that has ended keeps its end; its attempts lose what they say', async () => {
  const work = await acceptOne(stage.pool, tenant)
  await recordAll(stage.pool, [
    attemptOf(work, { state: 'delivered' }, { requestBody: 'x', responseHeaders: '{}' }),
  ])
  expect(await erase([work.eventId])).toEqual([])
  expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
    payload: REDACTED_PAYLOAD,
    dead_count: 0,
    dead_reason: null,
  })
  const { rows } = await stage.pool.query(
    `SELECT response_body, response_headers, request_body, status_code FROM attempts
     WHERE event_id = $1`,
    [work.eventId],
  )
  expect(rows).toEqual([
    { response_body: REDACTED, response_headers: null, request_body: null, status_code: 200 },
  ])
})

test('one that is parked leaves its backlog', async () => {
  const { works } = await parkNew(stage.pool, tenant, [5, 5])
  const [first] = works
  expect(await erase([first?.eventId ?? ''])).toEqual([])
  expect(await countRows(stage.pool, 'parked', 'tenant_id = $1', [tenant.tenantId])).toBe(1)
  expect(await deliveryRow(stage.pool, first?.deliveryId ?? '')).toMatchObject({
    state: 4,
    dead_reason: 'gdpr_erasure',
  })
})

test('one that waits for its back-off or is to be fanned out ends dead too', async () => {
  const work = await acceptOne(stage.pool, tenant)
  await recordAll(stage.pool, [attemptOf(work, { state: 'waiting', afterMs: 60_000 })])
  const [typed = ''] = await accept(1)
  expect(await erase([work.eventId, typed])).toEqual([])
  for (const id of [work.eventId, typed]) {
    expect(await eventRow(stage.pool, id)).toMatchObject({ ...ERASED, waiting_count: 0 })
    expect(await dueRow(stage.pool, id)).toBeUndefined()
  }
  await fanOutTo(newId())
  expect(await countRows(stage.pool, 'deliveries', 'event_id = $1', [typed])).toBe(0)
})

test('in a lane those behind the head go at once, and the head once it is not being sent', async () => {
  const { eventIds, head } = await makeLane(3)
  const [first = '', second = '', third = ''] = eventIds
  expect(await erase([first, second])).toEqual([first])
  expect(await eventRow(stage.pool, second)).toMatchObject(ERASED)
  expect(await eventRow(stage.pool, first)).toMatchObject({
    payload: expect.not.stringMatching('_'),
  })
  // The head's attempt ends by itself; the next to go is the third.
  const { released } = await recordAttempts(stage.pool, [record(head, { state: 'delivered' })])
  expect(released.map(({ eventId }) => eventId)).toEqual([third])
  expect(await erase([first, second])).toEqual([])
  expect(await eventRow(stage.pool, first)).toMatchObject({ payload: REDACTED_PAYLOAD })
})

test('a head whose sender has lost its lease goes, and its successor is released', async () => {
  const { eventIds, head } = await makeLane(2)
  await passTime(stage.pool, [head.deliveryId])
  expect(await erase([head.eventId])).toEqual([])
  const { deliveries } = await sweepDue(stage.pool, 10)
  expect(deliveries.map(({ eventId }) => eventId)).toEqual([eventIds[1]])
})

test('an event with several deliveries ends as a whole', async () => {
  const works = await acceptTyped(stage.pool, tenant, [newId(), newId(), newId()])
  const [delivered] = works
  if (delivered === undefined) throw new Error('there is no delivery')
  await recordAll(stage.pool, [attemptOf(delivered, { state: 'delivered' })])
  expect(await erase([delivered.eventId])).toEqual([])
  expect(await eventRow(stage.pool, delivered.eventId)).toMatchObject({ ...ERASED, dead_count: 2 })
})

test('a key becomes its hash, in both places; twice changes nothing', async () => {
  const work = await acceptOne(stage.pool, tenant, { idempotencyKey: 'ann@example.com' })
  await erase([work.eventId], { isByKey: true })
  const before = await eventRow(stage.pool, work.eventId)
  expect(String(before['idempotency_key'])).toMatch(/^sha256:[0-9a-f]{64}$/)
  const same = [before['idempotency_key'], work.eventId]
  expect(await countRows(stage.pool, 'idempotency_keys', 'key = $1 AND event_id = $2', same)).toBe(
    1,
  )
  await erase([work.eventId])
  expect(await eventRow(stage.pool, work.eventId)).toEqual(before)
})

test('an event that is replayed meanwhile is ended again before it is erased', async () => {
  const work = await acceptOne(stage.pool, tenant)
  await recordAll(stage.pool, [attemptOf(work, { state: 'dead', reason: 'attempts used up' })])
  const [replayed, left] = await Promise.all([
    replayEvents(stage.pool, tenant.tenantId, [work.eventId]),
    erase([work.eventId]),
  ])
  expect(replayed.eventIds.size).toBeLessThanOrEqual(1)
  if (left.length > 0) expect(await erase(left)).toEqual([])
  // The replay may come last: then it sends what is left.
  expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ payload: REDACTED_PAYLOAD })
})
