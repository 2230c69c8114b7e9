/** Poll mode: what fan-out makes visible, fetching and acknowledging. */
import { describe, expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import {
  acceptTyped,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { acknowledge } from './acknowledge.ts'
import { repairBacklogs } from './backlogs.ts'
import { fanOut } from './fan-out.ts'
import {
  eventIds,
  expire,
  fetch,
  idsOf,
  makeEndpoint,
  send,
  stage,
  target,
  tenant,
  usePolls,
} from './poll.fixture.ts'
import { fetchVisible, findVisible } from './poll.ts'

usePolls()

/** An id of so many days ahead, as a process makes it whose clock is. */
function idOf(days: number): string {
  return idAt(Date.now() + days * 86_400_000).slice(0, 14) + newId().slice(14)
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
