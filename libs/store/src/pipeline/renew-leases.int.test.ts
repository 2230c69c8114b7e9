import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  acceptOne,
  acceptTyped,
  attemptOf,
  countRows,
  deliveryRow,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  type TestDelivery,
} from '../store.fixture.ts'
import { resignLeadership, acquireLeadership } from './leadership.ts'
import { beginAttempts, renewLeases } from './renew-leases.ts'
import { recordAttempts } from './record-attempts.ts'

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

function leaseOf(work: TestDelivery): { tenantId: string; id: string; token: number } {
  return { tenantId: work.tenantId, id: work.deliveryId, token: work.token }
}

describe('leases', () => {
  test('a token is good once: renewing it gives another', async () => {
    const work = await one()
    const renewed = await renewLeases(stage.pool, [leaseOf(work)])
    const token = renewed.get(work.deliveryId) ?? 0
    expect(token).toBeGreaterThan(work.token)
    expect(await dueRow(stage.pool, work.deliveryId)).toMatchObject({ token, leased: true })
    expect(await renewLeases(stage.pool, [leaseOf(work)])).toEqual(new Map())
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ state: 0 })
  })

  test('of many who have one token one gets it', async () => {
    const works = await acceptDirect(stage.pool, tenant, 10)
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => renewLeases(stage.pool, works.map(leaseOf))),
    )
    for (const { deliveryId } of works) {
      expect(answers.filter((answer) => answer.has(deliveryId))).toHaveLength(1)
    }
  })

  test('another tenant, another id or nothing: no token', async () => {
    const work = await one()
    expect(await renewLeases(stage.pool, [{ ...leaseOf(work), tenantId: newId() }])).toEqual(
      new Map(),
    )
    expect(await renewLeases(stage.pool, [{ ...leaseOf(work), id: newId() }])).toEqual(new Map())
    expect(await renewLeases(stage.pool, [])).toEqual(new Map())
  })

  test('begin: delivery and event become delivering, once', async () => {
    const works = await acceptTyped(stage.pool, tenant, [newId(), newId()])
    const eventId = works[0]?.eventId ?? ''
    const tokens = await beginAttempts(stage.pool, works.map(leaseOf))
    expect([...tokens.keys()].sort()).toEqual(works.map(({ deliveryId }) => deliveryId).sort())
    expect(await eventRow(stage.pool, eventId)).toMatchObject({
      open_count: 2,
      delivering_count: 2,
      waiting_count: 0,
    })
    const again = works.map((work) => ({
      ...leaseOf(work),
      token: tokens.get(work.deliveryId) ?? 0,
    }))
    expect((await beginAttempts(stage.pool, again)).size).toBe(2)
    expect(await eventRow(stage.pool, eventId)).toMatchObject({ delivering_count: 2 })
    expect(await deliveryRow(stage.pool, works[0]?.deliveryId ?? '')).toMatchObject({ state: 1 })
  })

  test('begin with a token that is gone changes nothing', async () => {
    const work = await one()
    await renewLeases(stage.pool, [leaseOf(work)])
    expect(await beginAttempts(stage.pool, [leaseOf(work)])).toEqual(new Map())
    expect(await deliveryRow(stage.pool, work.deliveryId)).toMatchObject({ state: 0 })
  })

  test('attempts that are begun while they are recorded, many times over: all end as recorded', async () => {
    const works = await acceptDirect(stage.pool, tenant, 200)
    const parts = Array.from({ length: 4 }, (_, part) =>
      works.filter((_work, at) => at % 4 === part),
    )
    const elapsedMs = startLoopTime()
    await Promise.all(
      parts.flatMap((part) => [
        beginAttempts(stage.pool, part.map(leaseOf)),
        recordAttempts(
          stage.pool,
          [...part].reverse().map((work) => attemptOf(work, { state: 'delivered' })),
        ),
      ]),
    )
    for (const { deliveryId } of works) expect(await dueRow(stage.pool, deliveryId)).toBeUndefined()
    // A deadlock would have stood for a second before Postgres found it.
    expect(elapsedMs()).toBeLessThan(20_000)
    expect(
      await countRows(stage.pool, 'deliveries', 'state = 3 AND id = ANY ($1)', [
        works.map((w) => w.deliveryId),
      ]),
    ).toBe(200)
  })

  test('leadership is one process’s, kept while renewed, free when it ends or is resigned', async () => {
    const name = newId()
    expect(await acquireLeadership(stage.pool, name, 'a', 60_000)).toBe(true)
    expect(await acquireLeadership(stage.pool, name, 'b', 60_000)).toBe(false)
    expect(await acquireLeadership(stage.pool, name, 'a', 60_000)).toBe(true)
    await resignLeadership(stage.pool, name, 'b')
    expect(await acquireLeadership(stage.pool, name, 'b', 60_000)).toBe(false)
    await resignLeadership(stage.pool, name, 'a')
    expect(await acquireLeadership(stage.pool, name, 'b', 0)).toBe(true)
    expect(await acquireLeadership(stage.pool, name, 'a', 60_000)).toBe(true)
    const racers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        acquireLeadership(stage.pool, `${name}2`, `${n}`, 60_000),
      ),
    )
    expect(racers.filter(Boolean)).toHaveLength(1)
  })
})
