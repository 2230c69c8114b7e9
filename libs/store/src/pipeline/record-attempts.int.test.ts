import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  acceptOne,
  acceptTyped,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  entriesOf,
  eventRow,
  makeTenant,
  openTestStore,
  recordAll,
  type TestStore,
  type Tenant,
  type TestDelivery,
  withoutOwn,
} from '../store.fixture.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'

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

describe('recording', () => {
  test('a success ends the delivery and its event', async () => {
    const work = await one()
    const attempt = attemptOf(
      work,
      { state: 'delivered' },
      { responseHeaders: '{"a":"b"}', requestBody: '{}' },
    )
    expect(await record(attempt)).toEqual([`${work.deliveryId} 1`])
    const now = expect.any(Date)
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({
      state: 3,
      tries: 1,
      ended_at: now,
    })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      open_count: 0,
      dead_count: 0,
      attempts: 1,
      delivered_at: now,
      ended_at: now,
      dead_reason: null,
    })
    expect(await dueRow(stage.pool, work.deliveryId)).toBeUndefined()
    const { rows } = await stage.pool.query('SELECT * FROM attempts WHERE id = $1', [attempt.id])
    expect(rows).toEqual([
      {
        tenant_id: tenant.tenantId,
        id: attempt.id,
        project_id: tenant.projectId,
        event_id: work.eventId,
        delivery_id: work.deliveryId,
        endpoint_id: null,
        endpoint_version: null,
        event_type: null,
        url: attempt.url,
        attempt_number: 1,
        status_code: 200,
        error: '',
        duration_ms: 12,
        overhead_us: 345,
        next_attempt_at: null,
        response_body: 'ok',
        response_headers: '{"a":"b"}',
        request_body: '{}',
      },
    ])
  })

  test('a failure with attempts left waits for its time', async () => {
    const work = await one()
    const attempt = attemptOf(work, { state: 'waiting', afterMs: 60_000 })
    await record(attempt)
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({
      state: 2,
      tries: 1,
      ended_at: null,
    })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      open_count: 1,
      waiting_count: 1,
      attempts: 1,
      ended_at: null,
    })
    const due = await dueRow(stage.pool, work.deliveryId)
    expect(due).toMatchObject({ kind: 1, leased: false })
    expect(due?.in_seconds).toBeGreaterThan(55)
    expect(due?.in_seconds).toBeLessThanOrEqual(60)
    const { rows } = await stage.pool.query(
      'SELECT micros(next_attempt_at) AS at FROM attempts WHERE id = $1',
      [attempt.id],
    )
    expect(rows).toEqual([{ at: due?.token }])
  })

  test('a failure without: dead, with the reason', async () => {
    const work = await one()
    await record(attemptOf(work, { state: 'waiting', afterMs: 100 }))
    await record(attemptOf({ ...work, attempts: 1 }, { state: 'dead', reason: 'attempts used up' }))
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({
      state: 4,
      tries: 2,
      dead_reason: 'attempts used up',
    })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      open_count: 0,
      waiting_count: 0,
      dead_count: 1,
      attempts: 2,
      dead_reason: 'attempts used up',
      delivered_at: null,
      ended_at: expect.any(Date),
    })
    expect(await dueRow(stage.pool, work.deliveryId)).toBeUndefined()
  })

  test('a repeat is dropped, in a later call, in one at once, and in the same', async () => {
    const work = await one()
    const attempts = [1, 2, 3].map(() => attemptOf(work, { state: 'waiting', afterMs: 60_000 }))
    const answers = await Promise.all(
      attempts.map((attempt) => recordAttempts(stage.pool, [attempt])),
    )
    expect(answers.flatMap(({ written }) => written)).toEqual([
      { deliveryId: work.deliveryId, attemptNumber: 1 },
    ])
    expect(await record(attempts[0] as AttemptRecord)).toEqual([])
    expect(await countRows(stage.pool, 'attempts', 'delivery_id = $1', [work.deliveryId])).toBe(1)

    const other = await one()
    const twins = [1, 2].map(() => attemptOf(other, { state: 'delivered' }))
    expect(await record(...twins)).toHaveLength(1)
    expect(await countRows(stage.pool, 'attempts', 'delivery_id = $1', [other.deliveryId])).toBe(1)
    expect(await eventRow(stage.pool, other.eventId)).toMatchObject({ open_count: 0, attempts: 1 })
  })

  test('a try beyond the next one, or of a delivery that has ended, is dropped', async () => {
    const work = await one()
    expect(await record(attemptOf({ ...work, attempts: 1 }, { state: 'delivered' }))).toEqual([])
    await record(attemptOf(work, { state: 'delivered' }))
    expect(
      await record(attemptOf({ ...work, attempts: 1 }, { state: 'dead', reason: 'x' })),
    ).toEqual([])
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ dead_count: 0, attempts: 1 })
  })

  test('many of two events in one call: each event counts its own', async () => {
    const a = await acceptTyped(stage.pool, tenant, [newId(), newId(), newId()])
    const b = await acceptTyped(stage.pool, tenant, [newId(), newId()])
    const written = await record(
      attemptOf(a[0] as TestDelivery, { state: 'delivered' }),
      attemptOf(b[0] as TestDelivery, { state: 'dead', reason: 'gone' }),
      attemptOf(a[1] as TestDelivery, { state: 'waiting', afterMs: 60_000 }),
      attemptOf(b[1] as TestDelivery, { state: 'delivered' }),
    )
    expect(written).toHaveLength(4)
    expect(await eventRow(stage.pool, a[0]?.eventId ?? '')).toMatchObject({
      open_count: 2,
      waiting_count: 1,
      dead_count: 0,
      ended_at: null,
    })
    expect(await eventRow(stage.pool, b[0]?.eventId ?? '')).toMatchObject({
      open_count: 0,
      dead_count: 1,
      dead_reason: 'gone',
      delivered_at: null,
      ended_at: expect.any(Date),
    })
  })

  test('events of many deliveries, recorded by several at once', async () => {
    const events = await Promise.all(
      [1, 2, 3].map(() => acceptTyped(stage.pool, tenant, Array.from({ length: 12 }, newId))),
    )
    const calls = Array.from({ length: 6 }, (_, call) =>
      events.flatMap((works) => works.slice(call * 2, call * 2 + 2)),
    )
    await Promise.all(
      calls.map((works) => record(...works.map((work) => attemptOf(work, { state: 'delivered' })))),
    )
    for (const works of events) {
      expect(await eventRow(stage.pool, works[0]?.eventId ?? '')).toMatchObject({
        open_count: 0,
        delivered_at: expect.any(Date),
      })
    }
  })

  test('one row that Postgres can’t store is refused alone', async () => {
    const works = await acceptDirect(stage.pool, tenant, 9)
    const attempts = works.map((work, at) =>
      attemptOf(
        work,
        { state: 'delivered' },
        at === 4 ? { statusCode: 70_000 } : { responseBody: `\0\ud800${at}` },
      ),
    )
    const { written, refused } = await recordAttempts(stage.pool, attempts)
    expect(written).toHaveLength(8)
    expect(refused).toEqual([
      { row: attempts[4], error: expect.objectContaining({ code: '22003' }) },
    ])
    const { rows } = await stage.pool.query('SELECT response_body FROM attempts WHERE id = $1', [
      attempts[0]?.id,
    ])
    expect(rows).toEqual([{ response_body: '\ufffd\ufffd0' }])
    await record(attemptOf(works[4] as TestDelivery, { state: 'delivered' }))
  })
})

test('by itself, among others and among those that come to the same, an attempt leaves the same', async () => {
  const endpoints = [newId(), newId()]
  const nexts: AttemptRecord['next'][] = [
    { state: 'delivered' },
    { state: 'delivered' },
    { state: 'waiting', afterMs: 60_000 },
    { state: 'waiting', afterMs: 60_000 },
    { state: 'dead', reason: 'attempts used up' },
    // The other delivery of its event is delivered, so the event ends dead.
    { state: 'dead', reason: 'attempts used up' },
    { state: 'delivered' },
  ]
  const left = async (sizes: readonly number[]): Promise<unknown> => {
    const own = await makeTenant(stage.pool)
    const direct = await acceptDirect(stage.pool, own, 5)
    const works = [...direct, ...(await acceptTyped(stage.pool, own, endpoints))]
    const attempts = works.map((work, n) => attemptOf(work, nexts[n] as AttemptRecord['next']))
    const waiting = [...attempts]
    for (const size of sizes) expect(await record(...waiting.splice(0, size))).toHaveLength(size)
    const rows = attempts.map(async ({ id, eventId, deliveryId }) => ({
      event: await eventRow(stage.pool, eventId),
      delivery: await deliveryRow(stage.pool, deliveryId),
      due: await dueRow(stage.pool, deliveryId),
      attempts: (await stage.pool.query('SELECT * FROM attempts WHERE id = $1', [id])).rows,
    }))
    const entries = await entriesOf(stage.pool, own)
    return {
      rows: withoutOwn(await Promise.all(rows)),
      entries: entries.map((entry) => entry.replaceAll(own.projectId, 'its project')).sort(),
    }
  }
  const alone = await left([1, 1, 1, 1, 1, 1, 1])
  expect(alone).toEqual(await left([7]))
  expect(alone).toEqual(await left([2, 2, 3]))
  expect(alone).toMatchObject({ rows: { 5: { event: { open_count: 0, dead_count: 1 } } } })
  expect(alone).toMatchObject({
    entries: expect.arrayContaining([`http_5xx, dead, 1 of ${endpoints[0]} in its project`]),
  })
})
