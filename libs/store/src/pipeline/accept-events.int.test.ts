import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  countRows,
  deliveryRow,
  directEvent,
  dueRow,
  entriesOf,
  eventRow,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
  withoutOwn,
} from '../store.fixture.ts'
import { acceptAllEvents, acceptEvents, type NewEvent } from './accept-events.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await stage.close()
})

describe('what an accepted event leaves', () => {
  test('a direct one: its delivery, due when the lease ends', async () => {
    const event = directEvent(tenant, { headers: '{"a":"b"}', maxAttempts: 3, priority: 2 })
    const [outcome] = await acceptEvents(stage.pool, [event])
    const row = await eventRow(stage.pool, event.id)
    expect(row).toMatchObject({
      tenant_id: tenant.tenantId,
      project_id: tenant.projectId,
      destination: event.destination,
      event_type: null,
      payload: '{"n": 1.0}',
      headers: '{"a":"b"}',
      max_attempts: 3,
      priority: 2,
      open_count: 1,
      deliver_at: null,
      ended_at: null,
      fanned_out_at: expect.any(Date),
    })
    expect(await deliveryRow(stage.pool, event.id)).toMatchObject({
      event_id: event.id,
      endpoint_id: null,
      target_id: event.targetId,
      seq: row['seq'],
      priority: 2,
      state: 0,
      tries: 0,
    })
    const due = await dueRow(stage.pool, event.id)
    expect(due).toMatchObject({ kind: 1, leased: true, target_id: event.targetId })
    expect(due?.in_seconds).toBeGreaterThan(5)
    expect(due?.in_seconds).toBeLessThanOrEqual(10)
    expect(outcome).toEqual({ outcome: 'accepted', seq: row['seq'], token: due?.token })
  })

  test('one by type: no delivery, and itself due for its fan-out', async () => {
    const event = typedEvent(tenant)
    const [outcome] = await acceptEvents(stage.pool, [event])
    expect(await eventRow(stage.pool, event.id)).toMatchObject({
      destination: null,
      event_type: 'order.paid',
      fanned_out_at: null,
      open_count: 0,
    })
    expect(await countRows(stage.pool, 'deliveries', 'event_id = $1', [event.id])).toBe(0)
    const due = await dueRow(stage.pool, event.id)
    expect(due).toMatchObject({ kind: 0, leased: true })
    expect(outcome).toMatchObject({ token: due?.token })
  })

  test.each([
    ['direct', directEvent, 1],
    ['by type', typedEvent, 0],
  ] as const)('a delayed one, %s: due at its time, announced to nobody', async (_, make, kind) => {
    const event = make(tenant, { delaySeconds: 3_600 })
    await acceptEvents(stage.pool, [event])
    const due = await dueRow(stage.pool, event.id)
    expect(due).toMatchObject({ kind, leased: false })
    expect(due?.in_seconds).toBeGreaterThan(3_590)
    const row = await eventRow(stage.pool, event.id)
    expect(Math.abs((row['deliver_at'] as Date).getTime() - Date.now() - 3_600_000)).toBeLessThan(
      10_000,
    )
  })
})

test('seq is the order of arrival, within a call and over calls', async () => {
  const batches = [20, 1, 28].map((count) =>
    Array.from({ length: count }, () => directEvent(tenant)),
  )
  const seqs: number[] = []
  for (const batch of batches) {
    // Their keys and ids in another order than they came in.
    const keys = batch.map((event) => event.idempotencyKey).reverse()
    batch.forEach((event, at) => {
      event.idempotencyKey = keys[at] ?? ''
    })
    batch.reverse()
    for (const outcome of await acceptEvents(stage.pool, batch)) {
      seqs.push(outcome.outcome === 'accepted' ? outcome.seq : -1)
    }
  }
  expect(seqs).toHaveLength(49)
  expect([...seqs].sort((a, b) => a - b)).toEqual(seqs)
  expect(new Set(seqs).size).toBe(49)
})

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** All that accepting has left of an event. */
async function rowsOf(id: string): Promise<unknown> {
  const [event, delivery, due] = [eventRow, deliveryRow, dueRow].map((read) => read(stage.pool, id))
  return withoutOwn({ event: await event, delivery: await delivery, due: await due })
}

test('an event by itself, which has a statement of its own, is kept as one among others', async () => {
  const all = { headers: '{"x-a":"b"}', maxAttempts: 3, delaySeconds: 60, traceparent: TRACEPARENT }
  const endpointIds = [newId(), newId()]
  const events = [
    directEvent(tenant),
    typedEvent(tenant),
    directEvent(tenant, all),
    typedEvent(tenant, { ...all, endpointIds, source: 'inbound' }),
  ]
  const kept = async (how: NewEvent[][]): Promise<unknown[]> => {
    const fresh = how.map((call) =>
      call.map((event) => ({ ...event, id: newId(), idempotencyKey: newId() })),
    )
    for (const call of fresh) await acceptEvents(stage.pool, call)
    return await Promise.all(fresh.flat().map(async ({ id }) => await rowsOf(id)))
  }
  const alone = await kept(events.map((event) => [event]))
  expect(alone).toEqual(await kept([events]))
  expect(alone.at(-1)).toMatchObject({ event: { endpoint_ids: endpointIds, max_attempts: 3 } })
})

const counted = ({ projectId }: Tenant, times: number): string =>
  `accepted ${times} of none in ${projectId}`

test('what is accepted is counted by project, alone as among others', async () => {
  const [one, other] = [await makeTenant(stage.pool), await makeTenant(stage.pool)]
  await acceptEvents(stage.pool, [directEvent(one)])
  await acceptEvents(stage.pool, [typedEvent(other)])
  await acceptEvents(stage.pool, [directEvent(one), typedEvent(other), typedEvent(one)])
  expect(await entriesOf(stage.pool, one)).toEqual([1, 2].map((times) => counted(one, times)))
  expect(await entriesOf(stage.pool, other)).toEqual([1, 1].map((times) => counted(other, times)))
})

describe('idempotency keys', () => {
  test('of two in one call the first is accepted, and the other told of it', async () => {
    const events = Array.from({ length: 6 }, () =>
      directEvent(tenant, { idempotencyKey: 'same in one call' }),
    )
    const outcomes = await acceptEvents(stage.pool, events)
    expect(outcomes[0]).toMatchObject({ outcome: 'accepted' })
    expect(outcomes.slice(1)).toEqual(
      outcomes.slice(1).map(() => ({ outcome: 'duplicate', eventId: events[0]?.id })),
    )
    for (const event of events.slice(1)) expect(await eventRow(stage.pool, event.id)).toEqual({})
  })

  test('one that is taken leaves nothing behind, and the rest of the call is accepted', async () => {
    const first = directEvent(tenant)
    await acceptEvents(stage.pool, [first])
    const again = directEvent(tenant, { idempotencyKey: first.idempotencyKey })
    const other = directEvent(tenant)
    const outcomes = await acceptEvents(stage.pool, [again, other])
    expect(outcomes).toEqual([
      { outcome: 'duplicate', eventId: first.id },
      { outcome: 'accepted', seq: expect.any(Number), token: expect.any(Number) },
    ])
    expect(await deliveryRow(stage.pool, again.id)).toEqual({})
    expect(await dueRow(stage.pool, again.id)).toBeUndefined()
  })

  test('of many calls at once with the same keys, in any order, each key is accepted once', async () => {
    const keys = Array.from({ length: 20 }, () => newId())
    const calls = Array.from({ length: 8 }, (_, call) =>
      keys.map((_key, at) =>
        directEvent(tenant, { idempotencyKey: keys[(at * 7 + call) % 20] ?? '' }),
      ),
    )
    const outcomes = (await Promise.all(calls.map((call) => acceptEvents(stage.pool, call)))).flat()
    const events = calls.flat()
    const accepted = new Map<string, string>()
    outcomes.forEach((outcome, at) => {
      if (outcome.outcome !== 'accepted') return
      expect(accepted.has(events[at]?.idempotencyKey ?? '')).toBe(false)
      accepted.set(events[at]?.idempotencyKey ?? '', events[at]?.id ?? '')
    })
    expect(accepted.size).toBe(20)
    outcomes.forEach((outcome, at) => {
      if (outcome.outcome === 'duplicate')
        expect(outcome.eventId).toBe(accepted.get(events[at]?.idempotencyKey ?? ''))
    })
  })

  test('are a tenant’s own', async () => {
    const other = await makeTenant(stage.pool)
    const idempotencyKey = newId()
    const outcomes = await acceptEvents(stage.pool, [
      directEvent(tenant, { idempotencyKey }),
      directEvent(other, { idempotencyKey }),
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted'])
  })
})

test('odd text is stored, or comes back as U+FFFD', async () => {
  const payload = '{"a":"\\u0000 \\ud800 \u{1f600} \'; DROP TABLE events; --", "b": 1.000}'
  const good = directEvent(tenant, { payload })
  const odd = directEvent(tenant, {
    payload: '"\0 \ud800"',
    traceId: 'a\0b',
    idempotencyKey: 'k\0',
  })
  const outcomes = await acceptEvents(stage.pool, [good, odd])
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted'])
  expect(await eventRow(stage.pool, good.id)).toMatchObject({ payload })
  expect(await eventRow(stage.pool, odd.id)).toMatchObject({
    payload: '"\ufffd \ufffd"',
    trace_id: 'a\ufffdb',
  })
  expect(await acceptEvents(stage.pool, [directEvent(tenant, { idempotencyKey: 'k\0' })])).toEqual([
    { outcome: 'duplicate', eventId: odd.id },
  ])
})

describe('all or nothing', () => {
  test('all are accepted when every key is new', async () => {
    const events = Array.from({ length: 5 }, () => directEvent(tenant))
    const answer = await acceptAllEvents(stage.pool, events)
    expect(answer).toMatchObject({ outcome: 'accepted' })
    for (const event of events)
      expect(await eventRow(stage.pool, event.id)).toMatchObject({ open_count: 1 })
  })

  test('none are when one is taken, or given twice', async () => {
    const taken = directEvent(tenant)
    await acceptEvents(stage.pool, [taken])
    const events = [
      directEvent(tenant),
      directEvent(tenant, { idempotencyKey: taken.idempotencyKey }),
    ]
    expect(await acceptAllEvents(stage.pool, events)).toEqual({
      outcome: 'duplicates',
      keys: [taken.idempotencyKey],
    })
    const twins = [1, 2].map(() => directEvent(tenant, { idempotencyKey: 'twins' }))
    expect(await acceptAllEvents(stage.pool, twins)).toEqual({
      outcome: 'duplicates',
      keys: ['twins'],
    })
    for (const event of [...events, ...twins])
      expect(await eventRow(stage.pool, event.id)).toEqual({})
    // A key that was rolled back is free.
    expect(await acceptAllEvents(stage.pool, twins.slice(0, 1))).toMatchObject({
      outcome: 'accepted',
    })
  })

  test('of two at once that share a key exactly one is', async () => {
    const shared = newId()
    const batches = Array.from({ length: 4 }, () => [
      directEvent(tenant),
      directEvent(tenant, { idempotencyKey: shared }),
      directEvent(tenant),
    ])
    const answers = await Promise.all(batches.map((batch) => acceptAllEvents(stage.pool, batch)))
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      'accepted',
      'duplicates',
      'duplicates',
      'duplicates',
    ])
    const kept = await Promise.all(batches.flat().map((event) => eventRow(stage.pool, event.id)))
    expect(kept.filter((row) => row['id'] !== undefined)).toHaveLength(3)
  })

  test('after an error nothing is left, and the pool still works', async () => {
    // Its day has no partition.
    const bad = directEvent(tenant, { id: '00000000-0000-7000-8000-000000000000' })
    await expect(acceptAllEvents(stage.pool, [directEvent(tenant), bad])).rejects.toThrow(
      'no partition',
    )
    expect(await countRows(stage.pool, 'idempotency_keys', 'key = $1', [bad.idempotencyKey])).toBe(
      0,
    )
    expect(await acceptAllEvents(stage.pool, [directEvent(tenant)])).toMatchObject({
      outcome: 'accepted',
    })
  })
})
