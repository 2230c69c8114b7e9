/** Parking at a target, and taking from there. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  attemptOf,
  clearPipeline,
  countRows,
  deliveryRow,
  dueRow,
  makeTenant,
  openTestStore,
  parkNew,
  type TestStore,
  type Tenant,
  toEndpoint,
  type TestDelivery,
} from '../store.fixture.ts'
import {
  type OwnedBacklog,
  parkDeliveries,
  takeBacklog,
  takeParked,
  takeParkedOfMany,
} from './backlogs.ts'
import { recordAttempts } from './record-attempts.ts'
import { sweepDue } from './sweep.ts'

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

describe('parking', () => {
  test('moves deliveries from due to their target, and makes its backlog ours', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5, 5])
    const [first] = works as [TestDelivery]
    expect(backlog).toEqual({
      tenantId: tenant.tenantId,
      targetId: first.targetId,
      endpointId: first.endpointId,
      epoch: expect.any(Number),
      token: expect.any(Number),
    })
    expect(await dueRow(stage.pool, first.deliveryId)).toBeUndefined()
    expect(await countRows(stage.pool, 'parked', 'target_id = $1', [first.targetId])).toBe(2)
    expect(await dueRow(stage.pool, first.targetId)).toMatchObject({
      kind: 2,
      leased: true,
      token: backlog.token,
    })
    expect(await deliveryRow(stage.pool, first.deliveryId)).toMatchObject({ state: 0 })
  })

  test('into a backlog that is there makes none, whoever owns it', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5])
    const more = await toEndpoint(stage.pool, tenant, works[0]?.endpointId ?? '', [5])
    expect(await parkDeliveries(stage.pool, more)).toEqual([])
    expect(await dueRow(stage.pool, backlog.targetId)).toMatchObject({ token: backlog.token })
  })

  test('a delivery whose lease is lost is left alone', async () => {
    const works = await toEndpoint(stage.pool, tenant, newId(), [5])
    const stale = works.map((work) => ({ ...work, token: work.token - 1 }))
    expect(await parkDeliveries(stage.pool, stale)).toEqual([])
    expect(await countRows(stage.pool, 'parked')).toBe(0)
    expect(await parkDeliveries(stage.pool, [])).toEqual([])
  })

  test('direct events of one target by several at once make one backlog', async () => {
    const works = await acceptDirect(stage.pool, tenant, 40)
    const parts = Array.from({ length: 4 }, (_, part) =>
      works.filter((_work, at) => at % 4 === part),
    )
    const made = (await Promise.all(parts.map((part) => parkDeliveries(stage.pool, part)))).flat()
    expect(made).toHaveLength(1)
    expect(made[0]?.endpointId).toBeNull()
    expect(await countRows(stage.pool, 'parked')).toBe(40)
  })
})

describe('taking', () => {
  test('priority first, then the order of acceptance; each is leased to us', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5, 1, 9, 5, 1])
    const order = [1, 4, 0, 3, 2].map((at) => works[at]?.deliveryId)
    const first = await takeParked(stage.pool, backlog, 3)
    expect(first).toMatchObject({ owned: true, unparked: 3, parks: 1 })
    expect(first.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(order.slice(0, 3))
    for (const { deliveryId, token } of first.deliveries) {
      expect(await dueRow(stage.pool, deliveryId)).toMatchObject({
        kind: 1,
        leased: true,
        token,
        target_id: backlog.targetId,
      })
    }
    expect(first.deliveries[0]).toMatchObject({
      v: 1,
      kind: 'delivery',
      payload: '{"n": 1.0}',
      attempts: 0,
      traceId: 'trace',
    })
    const rest = await takeParked(stage.pool, backlog, 100)
    expect(rest.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(order.slice(3))
    expect(await takeParked(stage.pool, backlog, 100)).toEqual({
      deliveries: [],
      owned: true,
      unparked: 0,
      parks: 1,
    })
  })

  test('only by the owner of the epoch', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5, 5])
    const announced = { v: 1, kind: 'backlog', ...backlog } as const
    const taken = await takeBacklog(stage.pool, announced)
    expect(taken).toMatchObject({
      targetId: backlog.targetId,
      endpointId: works[0]?.endpointId,
    })
    expect(taken?.epoch).toBeGreaterThan(backlog.epoch)
    expect(taken?.token).toBeGreaterThan(backlog.token)
    expect(await takeBacklog(stage.pool, announced)).toBeNull()
    expect(await takeParked(stage.pool, backlog, 10)).toEqual({
      deliveries: [],
      owned: false,
      unparked: 0,
      parks: 0,
    })
    expect((await takeParked(stage.pool, taken as OwnedBacklog, 10)).deliveries).toHaveLength(2)
  })

  test('of many to whom one backlog is announced one takes it', async () => {
    const { backlog } = await parkNew(stage.pool, tenant, [5])
    const announced = { v: 1, kind: 'backlog', ...backlog } as const
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => takeBacklog(stage.pool, announced)))
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1)
  })

  test('what ended while it was parked is unparked and not handed out', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5, 5])
    await recordAttempts(stage.pool, [attemptOf(works[0] as TestDelivery, { state: 'delivered' })])
    const taken = await takeParked(stage.pool, backlog, 10)
    expect(taken).toMatchObject({ owned: true, unparked: 2 })
    expect(taken.deliveries.map(({ deliveryId }) => deliveryId)).toEqual([works[1]?.deliveryId])
  })

  test('a delivery that ends in the very moment in which it is taken is sent no more', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5])
    const [work] = works as [TestDelivery]
    const { deliveries } = await takeParked(stage.pool, backlog, 1)
    await stage.pool.query('DELETE FROM due WHERE id = $1', [work.deliveryId])
    await recordAttempts(stage.pool, [attemptOf(work, { state: 'delivered' })])
    // As the two statements leave it when neither sees the other's rows.
    await stage.pool.query(
      `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
       SELECT tenant_id, id, 1, now() - interval '1 second', true, target_id
       FROM deliveries WHERE id = $1`,
      [deliveries[0]?.deliveryId],
    )
    expect((await sweepDue(stage.pool, 10)).deliveries).toEqual([])
    expect(await dueRow(stage.pool, work.deliveryId)).toBeUndefined()
  })
})

describe('taking of many backlogs at once', () => {
  test('of each as many as are asked for, in its own order, each leased; not of one that is another’s', async () => {
    const other = await makeTenant(stage.pool)
    const parked = [
      await parkNew(stage.pool, tenant, [5, 1, 9]),
      await parkNew(stage.pool, tenant, [3, 2]),
      await parkNew(stage.pool, other, [5, 4]),
      await parkNew(stage.pool, tenant, [5]),
    ] as const
    const [first, second, foreign, lost] = parked
    const takes = [
      { backlog: { ...lost.backlog, epoch: 7 }, limit: 10 },
      { backlog: second.backlog, limit: 10 },
      { backlog: foreign.backlog, limit: 1 },
      { backlog: first.backlog, limit: 2 },
    ]
    const taken = await takeParkedOfMany(stage.pool, takes)
    expect(taken.map(({ owned, unparked, parks }) => [owned, unparked, parks])).toEqual([
      [false, 0, 0],
      [true, 2, 1],
      [true, 1, 1],
      [true, 2, 1],
    ])
    const idsOf = (at: number) => taken[at]?.deliveries.map(({ deliveryId }) => deliveryId)
    expect(idsOf(1)).toEqual([second.works[1]?.deliveryId, second.works[0]?.deliveryId])
    expect(idsOf(2)).toEqual([foreign.works[1]?.deliveryId])
    expect(idsOf(3)).toEqual([first.works[1]?.deliveryId, first.works[0]?.deliveryId])
    for (const { deliveryId, tenantId, token } of taken.flatMap(({ deliveries }) => deliveries)) {
      const due = await dueRow(stage.pool, deliveryId)
      expect(due).toMatchObject({ kind: 1, leased: true, token })
      expect([tenant.tenantId, other.tenantId]).toContain(tenantId)
    }
    expect(await countRows(stage.pool, 'parked')).toBe(3)
    expect(await takeParkedOfMany(stage.pool, [])).toEqual([])
  })

  test('one that is empty is told so beside one that is not', async () => {
    const [empty, full] = [
      await parkNew(stage.pool, tenant, [5]),
      await parkNew(stage.pool, tenant, [5, 5]),
    ]
    await takeParked(stage.pool, empty.backlog, 10)
    const [none, some] = await takeParkedOfMany(stage.pool, [
      { backlog: empty.backlog, limit: 10 },
      { backlog: full.backlog, limit: 10 },
    ])
    expect(none).toEqual({ deliveries: [], owned: true, unparked: 0, parks: 1 })
    expect(some).toMatchObject({ owned: true, unparked: 2 })
  })

  test('by two owners who meet: each delivery goes to one', async () => {
    const many = await Promise.all(
      Array.from({ length: 8 }, async () => await parkNew(stage.pool, tenant, [5, 5, 5, 5])),
    )
    const takes = many.map(({ backlog }) => ({ backlog, limit: 3 }))
    const taken = await Promise.all([
      takeParkedOfMany(stage.pool, takes),
      takeParkedOfMany(stage.pool, takes.toReversed()),
      takeParkedOfMany(stage.pool, takes),
    ])
    const ids = taken.flat().flatMap(({ deliveries }) => deliveries.map((one) => one.deliveryId))
    expect(new Set(ids).size).toBe(ids.length)
    expect(await countRows(stage.pool, 'parked')).toBe(32 - ids.length)
  })
})
