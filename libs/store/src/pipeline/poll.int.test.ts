/**
 * Poll mode: fetching, acknowledging, the end of visibility, and deliveries that follow their
 * endpoint's mode.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptTyped,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  passTime,
  type TestStore,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { acknowledge } from './acknowledge.ts'
import { expireParked } from './expire-parked.ts'
import { fanOut } from './fan-out.ts'
import { followMode, showParked } from './follow-mode.ts'
import {
  finishBacklog,
  repairBacklogs,
  parkDeliveries,
  takeBacklog,
  takeParked,
  wakeTarget,
} from './backlogs.ts'
import {
  expireVisibility,
  fetchVisible,
  findVisible,
  type PolledEvent,
  type PollTarget,
} from './poll.ts'
import { recordAttempts } from './record-attempts.ts'
import { replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
let target: PollTarget
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

async function makeEndpoint(config: object = {}): Promise<PollTarget> {
  const endpointId = newId()
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [
      tenant.tenantId,
      endpointId,
      tenant.projectId,
      { deliveryMode: 'poll', maxRetries: 2, ...config },
    ],
  )
  return { tenantId: tenant.tenantId, endpointId }
}

/** An id of so many days ahead, as a process makes it whose clock is. */
function idOf(days: number): string {
  return idAt(Date.now() + days * 86_400_000).slice(0, 14) + newId().slice(14)
}

async function setMode(deliveryMode: 'push' | 'poll'): Promise<void> {
  await stage.pool.query(`UPDATE endpoints SET config = config || $2 WHERE id = $1`, [
    target.endpointId,
    { deliveryMode },
  ])
}

async function send(count: number): Promise<TestDelivery[]> {
  const works: TestDelivery[] = []
  for (let n = 0; n < count; n += 1) {
    works.push(...(await acceptTyped(stage.pool, tenant, [target.endpointId])))
  }
  return works
}

async function fetch(limit = 10, visibilityMs = 30_000): Promise<PolledEvent[]> {
  return await fetchVisible(stage.pool, target, limit, visibilityMs)
}

const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id)
const eventIds = (works: readonly TestDelivery[]): string[] => works.map(({ eventId }) => eventId)

/** As if the time had passed, and the scheduler had looked. */
async function expire(works: readonly TestDelivery[]) {
  await passTime(
    stage.pool,
    works.map(({ deliveryId }) => deliveryId),
  )
  return await sweepDue(stage.pool, 100)
}

describe('fan-out', () => {
  test('to an endpoint in poll mode makes visible deliveries, without a token and without a backlog', async () => {
    const push = await makeEndpoint({ deliveryMode: 'push' })
    const event = typedEvent(tenant)
    await acceptEvents(stage.pool, [event])
    const deliveries = [target, push].map(({ endpointId }) => ({ deliveryId: newId(), endpointId }))
    const [polled, pushed] = deliveries.map(({ deliveryId }) => deliveryId) as [string, string]
    const tokens = await fanOut(stage.pool, [
      { tenantId: tenant.tenantId, eventId: event.id, deliveries },
    ])
    expect(tokens).toEqual(
      new Map([
        [polled, null],
        [pushed, expect.any(Number)],
      ]),
    )
    expect(await dueRow(stage.pool, polled)).toBeUndefined()
    expect(await countRows(stage.pool, 'parked', 'delivery_id = $1', [polled])).toBe(1)
    expect(await countRows(stage.pool, 'backlogs')).toBe(0)
    expect(await repairBacklogs(stage.pool)).toBe(0)
    expect(await eventRow(stage.pool, event.id)).toMatchObject({ open_count: 2, attempts: 0 })
  })
})

describe('fetching', () => {
  test('hands out the oldest first, whatever their priority, as they were sent', async () => {
    const works = await send(3)
    await stage.pool.query('UPDATE deliveries SET priority = 1 WHERE id = $1', [
      works[2]?.deliveryId,
    ])
    const events = await fetch(2)
    const asSent = { eventType: 'order.paid', payload: '{"n": 1.0}', headers: null }
    expect(events).toEqual([
      { id: works[0]?.eventId, deliveryId: works[0]?.deliveryId, ...asSent },
      { id: works[1]?.eventId, deliveryId: works[1]?.deliveryId, ...asSent },
    ])
    expect(idsOf(await fetch())).toEqual([works[2]?.eventId])
    expect(await fetch()).toEqual([])
  })

  test('counts as a try without an attempt row, and shows as delivering', async () => {
    const [work] = (await send(1)) as [TestDelivery]
    await fetch(1, 5_000)
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ state: 1, tries: 1 })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      delivering_count: 1,
      attempts: 1,
    })
    expect(await countRows(stage.pool, 'attempts')).toBe(0)
    const due = await dueRow(stage.pool, work.deliveryId)
    expect(due).toMatchObject({ kind: 4, leased: false, target_id: target.endpointId })
    expect(due?.in_seconds).toBeGreaterThan(3)
    expect(due?.in_seconds).toBeLessThanOrEqual(5)
  })

  test('by many consumers at once: each event goes to exactly one', async () => {
    const works = await send(60)
    const fetched: string[] = []
    async function consume(): Promise<void> {
      for (;;) {
        const events = await fetch(3)
        if (events.length === 0) return
        fetched.push(...idsOf(events))
      }
    }
    await Promise.all(Array.from({ length: 8 }, consume))
    // One that looked while the last rows were locked may have left early; what is left is there
    // for the next.
    fetched.push(...idsOf(await fetch(100)))
    expect(fetched.sort()).toEqual(eventIds(works).sort())
  })

  test('stops at 8 MiB of payloads, but for the first', async () => {
    const works = await send(3)
    for (const { eventId } of works) {
      await stage.pool.query(`UPDATE events SET payload = repeat('x', $2) WHERE id = $1`, [
        eventId,
        5 * 1024 * 1024,
      ])
    }
    expect((await fetch()).length).toBe(2)
    expect((await fetch()).length).toBe(1)
  })

  test.each([
    ['is paused', `UPDATE endpoints SET status = 'paused' WHERE id = $1`],
    ['is disabled', `UPDATE endpoints SET status = 'disabled' WHERE id = $1`],
    ['is gone', `UPDATE endpoints SET deleted_at = now() WHERE id = $1`],
  ])('from an endpoint that %s: nothing', async (_, change) => {
    await send(1)
    expect(await findVisible(stage.pool, [target])).toEqual([target])
    await stage.pool.query(change, [target.endpointId])
    expect(await fetch()).toEqual([])
    expect(await findVisible(stage.pool, [target])).toEqual([])
    expect(await fetchVisible(stage.pool, { ...target, tenantId: newId() }, 10, 1_000)).toEqual([])
    await repairBacklogs(stage.pool)
  })

  test('passes over rows of deliveries that ended while they were visible', async () => {
    const works = await send(4)
    await stage.pool.query('UPDATE deliveries SET state = 4 WHERE id = ANY ($1::uuid[])', [
      works.slice(0, 2).map(({ deliveryId }) => deliveryId),
    ])
    await stage.pool.query(
      `UPDATE events SET open_count = 0, dead_count = 1, dead_reason = 'x', ended_at = now()
       WHERE id = ANY ($1::uuid[])`,
      [eventIds(works.slice(0, 2))],
    )
    expect(idsOf(await fetch(2))).toEqual(eventIds(works.slice(2)))
  })
})

describe('acknowledging', () => {
  test('delivers, and may be repeated', async () => {
    const works = await send(2)
    const [first, second] = works as [TestDelivery, TestDelivery]
    await fetch(1)
    for (let time = 0; time < 2; time += 1) {
      expect(await acknowledge(stage.pool, target, [first.eventId])).toEqual(
        new Set([first.eventId]),
      )
    }
    expect(await eventRow(stage.pool, first.eventId)).toMatchObject({
      open_count: 0,
      delivering_count: 0,
      attempts: 1,
      delivered_at: expect.any(Date),
    })
    expect(await dueRow(stage.pool, first.deliveryId)).toBeUndefined()
    expect(idsOf(await fetch())).toEqual([second.eventId])
  })

  test('twice at once: both say that it is delivered', async () => {
    const works = await send(5)
    await fetch()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => acknowledge(stage.pool, target, eventIds(works))),
    )
    for (const answer of answers) expect([...answer].sort()).toEqual(eventIds(works).sort())
  })

  test('is taken when the event has become visible again, and keeps it from the next fetch', async () => {
    const works = await send(1)
    await fetch()
    await expire(works)
    expect((await acknowledge(stage.pool, target, eventIds(works))).size).toBe(1)
    expect(await fetch()).toEqual([])
  })

  test('is not taken from another endpoint, of another tenant, of what is unknown or dead', async () => {
    const works = await send(1)
    const [work] = works as [TestDelivery]
    await fetch()
    const other = await makeEndpoint()
    expect(await acknowledge(stage.pool, other, [work.eventId])).toEqual(new Set())
    expect(await acknowledge(stage.pool, { ...target, tenantId: newId() }, [work.eventId])).toEqual(
      new Set(),
    )
    expect(await acknowledge(stage.pool, target, [newId()])).toEqual(new Set())
    expect(await acknowledge(stage.pool, target, [])).toEqual(new Set())
    await expire(works)
    await fetch()
    await expire(works)
    expect(await acknowledge(stage.pool, target, [work.eventId])).toEqual(new Set())
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ dead_count: 1 })
  })

  test.each([3, -1])('of an event whose id is of %d days after its delivery’s', async (days) => {
    const id = idOf(days)
    const [work] = (await acceptTyped(stage.pool, tenant, [target.endpointId], { id })) as [
      TestDelivery,
    ]
    const [other] = (await send(1)) as [TestDelivery]
    expect(await fetch()).toHaveLength(2)
    for (const eventId of [work.eventId, other.eventId]) {
      const asked = [eventId, newId().replace(/^..../, 'ffff')]
      expect(await acknowledge(stage.pool, target, asked)).toEqual(new Set([eventId]))
    }
    expect(await eventRow(stage.pool, id)).toMatchObject({ open_count: 0, dead_count: 0 })
  })
})

describe('the end of visibility', () => {
  test('makes an event visible again, at its old place, and names the endpoint once', async () => {
    const works = await send(3)
    await fetch(2)
    const swept = await expire(works.slice(0, 2))
    expect(swept.polls).toEqual([{ v: 1, ...target }])
    expect(swept.deliveries).toEqual([])
    expect(await eventRow(stage.pool, works[0]?.eventId ?? '')).toMatchObject({
      delivering_count: 0,
      waiting_count: 0,
      open_count: 1,
    })
    expect(idsOf(await fetch())).toEqual(eventIds(works))
  })

  test('does not come before its time', async () => {
    const works = await send(1)
    await fetch()
    expect((await sweepDue(stage.pool, 100)).rows).toBe(0)
    expect(await fetch()).toEqual([])
    expect(await dueRow(stage.pool, works[0]?.deliveryId ?? '')).toMatchObject({ kind: 4 })
  })

  test('is death when the event was fetched as often as it may be', async () => {
    const works = await send(1)
    const [work] = works as [TestDelivery]
    await fetch()
    await expire(works)
    expect(await fetch()).toHaveLength(1)
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ attempts: 2, dead_count: 0 })
    expect((await expire(works)).polls).toEqual([])
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({
      attempts: 2,
      dead_count: 1,
      dead_reason: 'not acknowledged',
      ended_at: expect.any(Date),
    })
    expect(await fetch()).toEqual([])
  })

  test('goes by the event’s own maxAttempts where it has one', async () => {
    const works = await send(1)
    await stage.pool.query('UPDATE events SET max_attempts = 1 WHERE id = $1', [works[0]?.eventId])
    await fetch()
    await expire(works)
    expect(await deliveryRow(stage.pool, works[0]?.deliveryId ?? '')).toMatchObject({ state: 4 })
  })

  test('that comes late changes nothing of an event that was acknowledged or fetched again', async () => {
    const works = await send(2)
    const [acked, again] = works as [TestDelivery, TestDelivery]
    await fetch()
    const ending = await Promise.all(
      works.map(async ({ deliveryId: id }) => {
        const token = (await dueRow(stage.pool, id))?.token ?? 0
        return { tenantId: tenant.tenantId, id, token }
      }),
    )
    await acknowledge(stage.pool, target, [acked.eventId])
    await expire([again])
    await fetch()
    expect(await expireVisibility(stage.pool, ending)).toEqual([])
    expect(await deliveryRow(stage.pool, again.deliveryId)).toMatchObject({ state: 1, tries: 2 })
    expect(await expireVisibility(stage.pool, [])).toEqual([])
  })

  test('racing with the acknowledgement ends in one of the two, and loses nothing', async () => {
    const works = await send(20)
    await fetch(20)
    await passTime(
      stage.pool,
      works.map(({ deliveryId }) => deliveryId),
    )
    const [acked] = await Promise.all([
      acknowledge(stage.pool, target, eventIds(works.slice(0, 10))),
      sweepDue(stage.pool, 100),
    ])
    expect(acked.size).toBe(10)
    expect(idsOf(await fetch(20))).toEqual(eventIds(works.slice(10)))
  })
})

describe('replay', () => {
  test('makes a dead one visible again, its attempts counted anew', async () => {
    const works = await send(1)
    const [work] = works as [TestDelivery]
    for (let time = 0; time < 2; time += 1) {
      await fetch()
      await expire(works)
    }
    const replayed = await replayEvents(stage.pool, tenant.tenantId, [work.eventId])
    expect(replayed).toEqual({
      eventIds: new Set([work.eventId]),
      refusals: new Set(),
      work: [],
      polls: [{ v: 1, ...target }],
    })
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ attempts: 0, dead_count: 0 })
    expect(await fetch()).toHaveLength(1)
    expect(await eventRow(stage.pool, work.eventId)).toMatchObject({ attempts: 1 })
    await expire(works)
    expect(await fetch()).toHaveLength(1)
  })
})

describe('a change of mode', () => {
  async function announcedBacklog() {
    const { backlogs } = await sweepDue(stage.pool, 100)
    const backlog = backlogs[0] === undefined ? null : await takeBacklog(stage.pool, backlogs[0])
    if (backlog === null) throw new Error('no backlog was announced')
    return backlog
  }

  test('from poll to push: the visible go out as a backlog, the fetched when their visibility ends', async () => {
    const works = await send(3)
    await fetch(1)
    await setMode('push')
    await followMode(stage.pool, target)
    const backlog = await announcedBacklog()
    expect(backlog).toMatchObject({ targetId: target.endpointId, endpointId: target.endpointId })
    const taken = await takeParked(stage.pool, backlog, 10)
    expect(taken.deliveries.map(({ eventId }) => eventId)).toEqual(eventIds(works.slice(1)))
    expect((await expire(works.slice(0, 1))).deliveries).toMatchObject([
      { eventId: works[0]?.eventId, attempts: 1 },
    ])
    expect(await dueRow(stage.pool, works[0]?.deliveryId ?? '')).toMatchObject({ kind: 1 })
    // For the invariants: an endpoint that was polled has attempts without rows.
    await setMode('poll')
  })

  test('from push to poll: what is parked becomes visible, what backs off is announced', async () => {
    await setMode('push')
    const works = await send(3)
    const [parked, backsOff] = works as [TestDelivery, TestDelivery]
    await parkDeliveries(stage.pool, [parked])
    await recordAttempts(stage.pool, [
      attemptOf(backsOff, { state: 'waiting', afterMs: 3_600_000 }),
    ])
    await setMode('poll')
    await stage.pool.query(`UPDATE due SET leased = false WHERE kind = 2`)
    await followMode(stage.pool, target)
    const { backlogs, deliveries } = await sweepDue(stage.pool, 100)
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([backsOff.eventId])
    const backlog = await takeBacklog(stage.pool, backlogs[0] as (typeof backlogs)[0])
    if (backlog === null) throw new Error('the backlog was not taken')
    const shown = await showParked(stage.pool, backlog, 10)
    expect(shown).toMatchObject({ owned: true, shown: 1 })
    const rest = await showParked(stage.pool, backlog, 10)
    expect(rest.shown).toBe(0)
    expect(await finishBacklog(stage.pool, backlog, rest.parks)).toBe(true)
    expect(await showParked(stage.pool, backlog, 10)).toEqual({ owned: false, shown: 0, parks: 0 })
    expect(idsOf(await fetch())).toEqual([parked.eventId])
  })

  test('a replay of what waits for its next try makes it visible', async () => {
    await setMode('push')
    const [work] = (await send(1)) as [TestDelivery]
    await recordAttempts(stage.pool, [attemptOf(work, { state: 'waiting', afterMs: 3_600_000 })])
    await setMode('poll')
    const { work: messages, polls } = await replayEvents(stage.pool, tenant.tenantId, [
      work.eventId,
    ])
    expect([messages, polls.length]).toEqual([[], 1])
    expect(idsOf(await fetch())).toEqual([work.eventId])
  })

  test('that nobody followed is repaired', async () => {
    await send(1)
    await setMode('push')
    expect(await repairBacklogs(stage.pool)).toBe(1)
    expect((await announcedBacklog()).targetId).toBe(target.endpointId)
    await setMode('poll')
  })

  test('a lost backlog of what is still parked for sending is repaired in poll mode, too', async () => {
    await setMode('push')
    await parkDeliveries(stage.pool, await send(1))
    await setMode('poll')
    await stage.pool.query('DELETE FROM backlogs')
    await stage.pool.query('DELETE FROM due')
    expect(await repairBacklogs(stage.pool)).toBe(1)
  })
})

test('the deletion of the endpoint ends what is fetched and announces what is visible', async () => {
  const works = await send(2)
  await fetch(1)
  await stage.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [
    target.endpointId,
  ])
  await wakeTarget(stage.pool, tenant.tenantId, target.endpointId, true)
  await followMode(stage.pool, target)
  const { backlogs } = await sweepDue(stage.pool, 100)
  expect(backlogs).toMatchObject([{ targetId: target.endpointId }])
  expect(await eventRow(stage.pool, works[0]?.eventId ?? '')).toMatchObject({
    dead_count: 1,
    dead_reason: 'endpoint deleted',
  })
  // It was fetched once, and no attempt row tells of it.
  await stage.pool.query('DELETE FROM deliveries')
  await stage.pool.query('DELETE FROM events')
})

test('what nobody fetches for long expires', async () => {
  const works = await send(1)
  await stage.pool.query(`UPDATE parked SET parked_at = now() - interval '40 days'`)
  await expireParked(stage.pool, 30, 10)
  expect(await eventRow(stage.pool, works[0]?.eventId ?? '')).toMatchObject({
    dead_reason: 'expired',
  })
})
