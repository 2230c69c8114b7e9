/**
 * Poll mode: the end of visibility, replays, and deliveries that follow their endpoint's mode or
 * its deletion.
 */
import { describe, expect, test } from '@jest/globals'
import {
  attemptOf,
  deliveryRow,
  dueRow,
  eventRow,
  passTime,
  type TestDelivery,
} from '../store.fixture.ts'
import { acknowledge } from './acknowledge.ts'
import {
  finishBacklog,
  repairBacklogs,
  parkDeliveries,
  takeBacklog,
  takeParked,
  wakeTarget,
} from './backlogs.ts'
import { expireParked } from './expire-parked.ts'
import { followMode, showParked } from './follow-mode.ts'
import {
  eventIds,
  expire,
  fetch,
  idsOf,
  send,
  stage,
  target,
  tenant,
  usePolls,
} from './poll.fixture.ts'
import { expireVisibility } from './poll.ts'
import { recordAttempts } from './record-attempts.ts'
import { replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

usePolls()

async function setMode(deliveryMode: 'push' | 'poll'): Promise<void> {
  await stage.pool.query(`UPDATE endpoints SET config = config || $2 WHERE id = $1`, [
    target.endpointId,
    { deliveryMode },
  ])
}

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
