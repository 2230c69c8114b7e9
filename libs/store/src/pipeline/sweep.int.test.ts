import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { DUE_SOON_MS, MAX_INLINE_PAYLOAD_BYTES } from '@posthorn/contracts/topics'
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  attemptOf,
  clearPipeline,
  countRows,
  dueRow,
  makeTenant,
  openTestStore,
  parkNew,
  passTime,
  type TestStore,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { acceptEvents } from './accept-events.ts'
import { parkDeliveries } from './backlogs.ts'
import { renewLeases } from './renew-leases.ts'
import { recordAttempts } from './record-attempts.ts'
import { expireLeases, loadPayloads, loadDueDeliveries, sweepDue } from './sweep.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
})
afterEach(async () => {
  expect(await findBroken(stage.pool)).toEqual([])
  await clearPipeline(stage.pool)
})
afterAll(async () => {
  await stage.close()
})
beforeAll(async () => {
  tenant = await makeTenant(stage.pool)
})

describe('the sweep', () => {
  test('leases what is due, oldest first, and hands it back to be announced', async () => {
    const [a, b, c] = (await acceptDirect(stage.pool, tenant, 3, {
      headers: '{"x":"y"}',
      maxAttempts: 9,
    })) as [TestDelivery, TestDelivery, TestDelivery]
    await passTime(stage.pool, [a.deliveryId, b.deliveryId])
    await stage.pool.query(`UPDATE due SET due_at = due_at - interval '1 hour' WHERE id = $1`, [
      b.deliveryId,
    ])
    const first = await sweepDue(stage.pool, 1)
    expect(first.rows).toBe(1)
    expect(first.deliveries).toEqual([
      {
        v: 1,
        kind: 'delivery',
        token: (await dueRow(stage.pool, b.deliveryId))?.token,
        ...tenant,
        eventId: b.eventId,
        deliveryId: b.deliveryId,
        endpointId: null,
        lane: null,
        destination: 'https://example.com/hook',
        eventType: null,
        payload: '{"n": 1.0}',
        headers: '{"x":"y"}',
        priority: 5,
        seq: b.seq,
        tries: 0,
        triesBefore: 0,
        maxAttempts: 9,
        traceId: 'trace',
        createdAt: expect.any(Number),
      },
    ])
    const second = await sweepDue(stage.pool, 10)
    expect(second.deliveries.map(({ deliveryId }) => deliveryId)).toEqual([a.deliveryId])
    expect(await sweepDue(stage.pool, 10)).toEqual({
      events: [],
      deliveries: [],
      backlogs: [],
      polls: [],
      rows: 0,
      nextInMs: null,
    })
    expect(await dueRow(stage.pool, c.deliveryId)).toMatchObject({ token: c.token })
    expect(await dueRow(stage.pool, a.deliveryId)).toMatchObject({ leased: true })
  })

  test('says when the next is due, if that is soon', async () => {
    const works = await acceptDirect(stage.pool, tenant, 3)
    const comesIn = async (index: number, ms: number): Promise<void> => {
      await stage.pool.query(
        `UPDATE due SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1`,
        [works[index]?.deliveryId, ms],
      )
    }
    expect((await sweepDue(stage.pool, 10)).nextInMs).toBeNull()
    // Long enough for a machine that is busy: what was due by then would be swept.
    for (const [index, ms] of [DUE_SOON_MS + 60_000, DUE_SOON_MS].entries())
      await comesIn(index, ms)
    const { rows, nextInMs } = await sweepDue(stage.pool, 10)
    if (rows === 0) {
      expect(nextInMs).toBeGreaterThan(0)
      expect(nextInMs).toBeLessThanOrEqual(DUE_SOON_MS)
    }
    await comesIn(2, -1)
    const swept = await sweepDue(stage.pool, 10)
    expect(swept.deliveries.map(({ deliveryId }) => deliveryId)).toContain(works[2]?.deliveryId)
    expect(swept.nextInMs).toBeNull()
  })

  test('events and backlogs too', async () => {
    const event = typedEvent(tenant, { delaySeconds: 60 })
    await acceptEvents(stage.pool, [event])
    const { backlog } = await parkNew(stage.pool, tenant, [5])
    const [direct] = await parkDeliveries(stage.pool, await acceptDirect(stage.pool, tenant, 1))
    const targets = [backlog.targetId, direct?.targetId ?? '']
    await passTime(stage.pool, [event.id, ...targets])
    const swept = await sweepDue(stage.pool, 10)
    expect(swept).toMatchObject({
      rows: 3,
      deliveries: [],
      events: [{ v: 1, tenantId: tenant.tenantId, eventId: event.id }],
    })
    expect(swept.backlogs.map(({ targetId, endpointId }) => [targetId, endpointId]).sort()).toEqual(
      [
        [targets[0], backlog.endpointId],
        [targets[1], null],
      ].sort(),
    )
  })

  test('by several at once gives each row to one', async () => {
    const works = await acceptDirect(stage.pool, tenant, 60)
    await passTime(
      stage.pool,
      works.map(({ deliveryId }) => deliveryId),
    )
    const answers = await Promise.all([1, 2, 3, 4].map(() => sweepDue(stage.pool, 30)))
    const swept = answers.flatMap(({ deliveries }) =>
      deliveries.map(({ deliveryId }) => deliveryId),
    )
    expect(new Set(swept).size).toBe(swept.length)
    const rest = await sweepDue(stage.pool, 100)
    expect(swept.length + rest.deliveries.length).toBe(60)
  })

  test('a payload that is too large to travel goes by reference', async () => {
    const room = MAX_INLINE_PAYLOAD_BYTES - 2
    const fits = `"${'x'.repeat(room)}"`
    const large = `"${'é'.repeat(room / 2)}x"` // one byte more, though half the characters
    const [a] = (await acceptDirect(stage.pool, tenant, 1, { payload: fits })) as [TestDelivery]
    const [b] = (await acceptDirect(stage.pool, tenant, 1, { payload: large })) as [TestDelivery]
    await passTime(stage.pool, [a.deliveryId, b.deliveryId])
    const { deliveries } = await sweepDue(stage.pool, 10)
    expect(deliveries.map(({ payload }) => payload)).toEqual([fits, null])
    const payloads = await loadPayloads(stage.pool, [b, { tenantId: newId(), eventId: a.eventId }])
    expect(payloads).toEqual(new Map([[b.eventId, large]]))
  })

  test('a row that stands for nothing is dropped: its delivery has ended, or its whole day is gone', async () => {
    const [ended] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
    await recordAttempts(stage.pool, [attemptOf(ended, { state: 'delivered' })])
    const ofNoDay = idAt(Date.now() - 900 * 86_400_000).slice(0, 14) + newId().slice(14)
    await stage.pool.query(
      `INSERT INTO due (tenant_id, id, kind, due_at, leased)
       VALUES ($1, $2, 1, now(), true), ($1, $3, 1, now(), true), ($1, $4, 2, now(), true)`,
      [tenant.tenantId, ended.deliveryId, ofNoDay, newId()],
    )
    expect(await sweepDue(stage.pool, 10)).toEqual({
      events: [],
      deliveries: [],
      backlogs: [],
      polls: [],
      rows: 3,
      nextInMs: null,
    })
    expect((await sweepDue(stage.pool, 10)).nextInMs).toBeNull()
    expect(await countRows(stage.pool, 'due')).toBe(0)
  })

  test.each(['deliveries', 'events'])(
    'what can’t be found while its day of %s is taken out goes on when that is put back',
    async (table) => {
      const [work] = (await acceptDirect(stage.pool, tenant, 1)) as [TestDelivery]
      const from = Math.floor(timeOfId(work.deliveryId) / 86_400_000) * 86_400_000
      const name = `${table}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`
      await stage.pool.query(`ALTER TABLE ${table} DETACH PARTITION ${name}`)
      await passTime(stage.pool, [work.deliveryId])
      expect((await sweepDue(stage.pool, 10)).deliveries).toEqual([])
      await stage.pool.query(`ALTER TABLE ${table} ATTACH PARTITION ${name}
        FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + 86_400_000)}')`)
      await passTime(stage.pool, [work.deliveryId])
      const { deliveries } = await sweepDue(stage.pool, 10)
      expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([work.deliveryId])
    },
  )

  test('nothing to load is nothing', async () => {
    expect(await loadDueDeliveries(stage.pool, [])).toEqual([])
  })

  test('after a restart what was on its way is due, and what waits for its time still waits', async () => {
    const [leased, waits] = (await acceptDirect(stage.pool, tenant, 2)) as [
      TestDelivery,
      TestDelivery,
    ]
    const [delayed] = (await acceptDirect(stage.pool, tenant, 1, { delaySeconds: 60 })) as [
      TestDelivery,
    ]
    await recordAttempts(stage.pool, [attemptOf(waits, { state: 'waiting', afterMs: 60_000 })])
    expect(await expireLeases(stage.pool)).toBe(1)
    const { deliveries } = await sweepDue(stage.pool, 10)
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([leased.deliveryId])
    expect((await dueRow(stage.pool, delayed.deliveryId))?.in_seconds).toBeGreaterThan(50)
    expect(
      await renewLeases(stage.pool, [
        { tenantId: leased.tenantId, id: leased.deliveryId, token: leased.token },
      ]),
    ).toEqual(new Map())
  })
})
