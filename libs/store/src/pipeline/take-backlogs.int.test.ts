/** The life of a target’s backlog, from its making to its end. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { findBroken } from '../invariants.fixture.ts'
import {
  acceptDirect,
  attemptOf,
  clearPipeline,
  dueRow,
  eventRow,
  makeTenant,
  openTestStore,
  parkNew,
  type TestStore,
  type Tenant,
  toEndpoint,
  type TestDelivery,
} from '../store.fixture.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { expireParked } from './expire-parked.ts'
import {
  finishBacklog,
  type OwnedBacklog,
  repairBacklogs,
  parkDeliveries,
  postponeBacklog,
  takeParked,
  wakeTarget,
} from './backlogs.ts'
import { recordAttempts } from './record-attempts.ts'
import { replayEvents } from './replay-events.ts'
import { KIND } from './sql/lease.ts'
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

describe('the end of a backlog', () => {
  test('only when nothing has been parked since we looked', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5])
    await takeParked(stage.pool, backlog, 10)
    const { parks } = await takeParked(stage.pool, backlog, 10)
    await parkDeliveries(
      stage.pool,
      await toEndpoint(stage.pool, tenant, works[0]?.endpointId ?? '', [5]),
    )
    expect(await finishBacklog(stage.pool, backlog, parks)).toBe(false)
    const again = await takeParked(stage.pool, backlog, 10)
    expect(again.deliveries).toHaveLength(1)
    expect(await finishBacklog(stage.pool, { ...backlog, epoch: 7 }, again.parks)).toBe(false)
    expect(await finishBacklog(stage.pool, backlog, again.parks)).toBe(true)
    expect(await dueRow(stage.pool, backlog.targetId)).toBeUndefined()
    expect(await takeParked(stage.pool, backlog, 10)).toMatchObject({ owned: false })
    // The next one to park makes it anew.
    expect(
      await parkDeliveries(
        stage.pool,
        await toEndpoint(stage.pool, tenant, works[0]?.endpointId ?? '', [5]),
      ),
    ).toHaveLength(1)
  })

  test('a parking that commits while its owner looks is never left behind', async () => {
    const endpointId = newId()
    const [backlog] = await parkDeliveries(
      stage.pool,
      await toEndpoint(stage.pool, tenant, endpointId, [5]),
    )
    if (backlog === undefined) throw new Error('no backlog was made')
    await takeParked(stage.pool, backlog, 10)
    const [late] = (await toEndpoint(stage.pool, tenant, endpointId, [5])) as [TestDelivery]
    // Parked, and not committed yet: the owner looks meanwhile.
    const client = await stage.pool.connect()
    await client.query('BEGIN')
    await parkDeliveries({ query: client.query.bind(client) } as never, [late])
    const looking = takeParked(stage.pool, backlog, 10)
    const seen = await Promise.race([
      looking,
      client.query('SELECT pg_sleep(0.3)').then(() => null),
    ])
    await client.query('COMMIT')
    client.release()
    const { parks, deliveries } = seen ?? (await looking)
    if (deliveries.length === 0) expect(await finishBacklog(stage.pool, backlog, parks)).toBe(false)
    const { rows } = await stage.pool.query('SELECT 1 FROM backlogs WHERE target_id = $1', [
      endpointId,
    ])
    expect(rows).toHaveLength(1)
  })

  test("one that was made anew is not its former owner's, to take from or to end", async () => {
    const endpointId = newId()
    const park = async () =>
      await parkDeliveries(stage.pool, await toEndpoint(stage.pool, tenant, endpointId, [5]))
    const [former] = (await park()) as [OwnedBacklog]
    const { parks } = await takeParked(stage.pool, former, 10)
    expect(await finishBacklog(stage.pool, former, parks)).toBe(true)
    await park()
    expect(await takeParked(stage.pool, former, 10)).toMatchObject({ owned: false, deliveries: [] })
    expect(await finishBacklog(stage.pool, former, parks)).toBe(false)
  })

  test('racing with parkings, many times: nothing is ever parked without a backlog', async () => {
    const endpointId = newId()
    let backlog = (
      await parkDeliveries(stage.pool, await toEndpoint(stage.pool, tenant, endpointId, [5]))
    )[0] as OwnedBacklog
    for (let round = 0; round < 25; round += 1) {
      const works = await toEndpoint(stage.pool, tenant, endpointId, [5, 5])
      const serve = async (): Promise<boolean> => {
        const { parks } = await takeParked(stage.pool, backlog, 10)
        return await finishBacklog(stage.pool, backlog, parks)
      }
      const answers = await Promise.all([
        serve(),
        parkDeliveries(stage.pool, works.slice(0, 1)),
        serve(),
        parkDeliveries(stage.pool, works.slice(1)),
      ])
      expect(await findBroken(stage.pool)).toEqual([])
      const made = [...answers[1], ...answers[3]]
      if (made.length > 0) backlog = made.at(-1) as OwnedBacklog
      else if (answers[0] || answers[2])
        backlog = (
          await parkDeliveries(stage.pool, await toEndpoint(stage.pool, tenant, endpointId, [5]))
        )[0] as OwnedBacklog
    }
  })

  test('postponed, it is due then; woken, at once; a lost token postpones nothing', async () => {
    const { backlog } = await parkNew(stage.pool, tenant, [5])
    await postponeBacklog(stage.pool, { ...backlog, token: backlog.token - 1 }, 60_000)
    expect(await dueRow(stage.pool, backlog.targetId)).toMatchObject({
      token: backlog.token,
      leased: true,
    })
    await postponeBacklog(stage.pool, backlog, 60_000)
    const due = await dueRow(stage.pool, backlog.targetId)
    expect(due).toMatchObject({ leased: false })
    expect(due?.in_seconds).toBeGreaterThan(50)
    await wakeTarget(stage.pool, newId(), backlog.targetId, true)
    expect((await sweepDue(stage.pool, 10)).backlogs).toEqual([])
    await wakeTarget(stage.pool, tenant.tenantId, backlog.targetId, false)
    const { backlogs } = await sweepDue(stage.pool, 10)
    expect(backlogs).toEqual([
      {
        v: 1,
        kind: 'backlog',
        tenantId: tenant.tenantId,
        targetId: backlog.targetId,
        endpointId: backlog.endpointId,
        token: expect.any(Number),
      },
    ])
  })

  test('waking all of a target wakes what backs off there, and nothing else', async () => {
    const endpointId = newId()
    const works = [
      ...(await toEndpoint(stage.pool, tenant, endpointId, [5, 5])),
      ...(await toEndpoint(stage.pool, tenant, newId(), [5])),
    ]
    await recordAttempts(
      stage.pool,
      works.map((work) => attemptOf(work, { state: 'waiting', afterMs: 3_600_000 })),
    )
    await wakeTarget(stage.pool, tenant.tenantId, endpointId, true)
    const { deliveries } = await sweepDue(stage.pool, 10)
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
      works.slice(0, 2).map((work) => work.deliveryId),
    )
  })

  test('waking all of a target leaves alone what has an attempt in flight', async () => {
    const endpointId = newId()
    const [tried] = await toEndpoint(stage.pool, tenant, endpointId, [5])
    await wakeTarget(stage.pool, tenant.tenantId, endpointId, true)
    expect((await sweepDue(stage.pool, 10)).deliveries).toEqual([])
    expect(await dueRow(stage.pool, tried?.deliveryId ?? '')).toMatchObject({
      token: tried?.token,
      leased: true,
    })
  })

  test('a repair makes what is missing, and nothing when all is there', async () => {
    const a = await parkNew(stage.pool, tenant, [5, 5])
    const b = await parkNew(stage.pool, tenant, [5])
    const [direct] = await parkDeliveries(stage.pool, await acceptDirect(stage.pool, tenant, 2))
    expect(await repairBacklogs(stage.pool)).toBe(0)
    await stage.pool.query('DELETE FROM backlogs WHERE target_id = ANY ($1)', [
      [a.backlog.targetId, direct?.targetId],
    ])
    await stage.pool.query('DELETE FROM due WHERE id = ANY ($1)', [
      [b.backlog.targetId, direct?.targetId],
    ])
    expect(await repairBacklogs(stage.pool)).toBe(2)
    expect(await repairBacklogs(stage.pool)).toBe(0)
    const { rows } = await stage.pool.query(
      'SELECT target_id, endpoint_id FROM backlogs ORDER BY 1',
    )
    const expected = [a.backlog, b.backlog, direct].map((one) => ({
      target_id: one?.targetId,
      endpoint_id: one?.endpointId,
    }))
    expect(rows).toEqual(
      expected.sort((x, y) => ((x.target_id ?? '') < (y.target_id ?? '') ? -1 : 1)),
    )
  })

  test('parked for too long: dead, expired', async () => {
    const { works, backlog } = await parkNew(stage.pool, tenant, [5, 5])
    await stage.pool.query(
      `UPDATE parked SET parked_at = now() - interval '31 days' WHERE delivery_id = $1`,
      [works[0]?.deliveryId],
    )
    expect(await expireParked(stage.pool, 30, 10)).toBe(1)
    expect(await expireParked(stage.pool, 30, 10)).toBe(0)
    expect(await eventRow(stage.pool, works[0]?.eventId ?? '')).toMatchObject({
      dead_count: 1,
      open_count: 0,
      dead_reason: 'expired',
    })
    expect((await takeParked(stage.pool, backlog, 10)).deliveries).toHaveLength(1)
  })
})

test('a delivery that is parked again is not removed by a take that saw it dead', async () => {
  const { works, backlog } = await parkNew(stage.pool, tenant, [5])
  const [first, again] = await toEndpoint(stage.pool, tenant, backlog.targetId, [5, 6])
  if (first === undefined || again === undefined) throw new Error('nothing was accepted')
  const { deliveryId } = again
  await parkDeliveries(stage.pool, [first])
  // Cancelled, and its message not read yet: it is due for whoever parks it.
  await cancelDeliveries(stage.pool, [{ ...again, reason: 'endpoint deleted' }])
  await stage.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
     VALUES ($1, $2, ${KIND.delivery}, from_micros($3), true, $4)`,
    [again.tenantId, deliveryId, again.token, again.targetId],
  )
  const delivery = await lock('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', deliveryId)
  const replayed = replayEvents(stage.pool, tenant.tenantId, [again.eventId])
  await delivery.isWaitedFor()
  await parkDeliveries(stage.pool, [again])
  const taken = await lock('SELECT FROM parked WHERE delivery_id = $1 FOR UPDATE', first.deliveryId)
  const taking = takeParked(stage.pool, backlog, 10)
  await taken.isWaitedFor()
  await delivery.unlock()
  const [message] = (await replayed).work
  await parkDeliveries(stage.pool, [{ ...again, token: message?.token ?? 0 }])
  await taken.unlock()

  const { deliveries } = await taking
  expect(deliveries.map((one) => one.deliveryId)).toEqual(
    [...works, first].map((one) => one.deliveryId),
  )
  expect((await takeParked(stage.pool, backlog, 10)).deliveries).toMatchObject([{ deliveryId }])
})

/** Locks a row until it is unlocked. */
async function lock(text: string, id: string) {
  const client = await stage.pool.connect()
  await client.query('BEGIN')
  await client.query(text, [id])
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return {
    async isWaitedFor() {
      await eventually(async () => {
        const { rowCount } = await stage.pool.query(
          `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`,
          [rows[0]?.pid],
        )
        expect(rowCount).toBe(1)
      })
    },
    async unlock() {
      await client.query('COMMIT')
      client.release()
    },
  }
}
