/**
 * The pipeline as a whole: whatever is done to it in whatever order, each event's counts are what
 * its deliveries say, and each open delivery waits in exactly one place. What is chosen follows
 * from a seed; only the ids differ from run to run.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { DueBacklog, DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { findBroken } from '../invariants.fixture.ts'
import { withRetries } from '../repeat.ts'
import {
  acceptDirect,
  acceptTyped,
  attemptOf,
  countRows,
  DESTINATION,
  directEvent,
  makeTenant,
  openTestStore,
  type TestStore,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from '../store.fixture.ts'
import { acceptAllEvents, acceptEvents } from './accept-events.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { expireParked } from './expire-parked.ts'
import { fanOut } from './fan-out.ts'
import {
  finishBacklog,
  repairBacklogs,
  parkDeliveries,
  takeBacklog,
  takeParked,
} from './backlogs.ts'
import { beginAttempts, renewLeases } from './renew-leases.ts'
import { recordAttempts } from './record-attempts.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})

/** mulberry32: small, and good enough to choose with. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface World {
  tenant: Tenant
  endpoints: string[]
  /** Messages that were announced, the outdated ones too: a copy may come late. */
  messages: TestDelivery[]
  backlogs: DueBacklog[]
  /** Events by type that were announced to fan-out. */
  waiting: string[]
  eventIds: string[]
  chance(): number
  pick<Item>(items: readonly Item[], most: number): Item[]
}

function createWorld(tenant: Tenant, seed: number): World {
  const chance = createRandom(seed)
  return {
    tenant,
    endpoints: [newId(), newId(), newId()],
    messages: [],
    backlogs: [],
    waiting: [],
    eventIds: [],
    chance,
    pick(items, most) {
      const count = Math.min(items.length, 1 + Math.floor(chance() * most))
      const picked = Array.from({ length: count }, () => items[Math.floor(chance() * items.length)])
      return [...new Set(picked)] as (typeof items)[number][]
    },
  }
}

function toWork(message: DueDelivery): TestDelivery {
  const {
    tenantId,
    projectId,
    eventId,
    deliveryId,
    endpointId,
    token,
    priority,
    seq,
    attempts,
    edition,
  } = message
  return {
    tenantId,
    projectId,
    eventId,
    deliveryId,
    endpointId,
    targetId: '',
    token,
    priority,
    seq,
    attempts,
    edition,
  }
}

async function announce(world: World, messages: readonly DueDelivery[]): Promise<void> {
  for (const message of messages) world.messages.push(await withTarget(toWork(message)))
}

async function withTarget(work: TestDelivery): Promise<TestDelivery> {
  const { rows } = await stage.pool.query('SELECT target_id FROM deliveries WHERE id = $1', [
    work.deliveryId,
  ])
  return { ...work, targetId: rows[0].target_id }
}

function leaseOf({ tenantId, deliveryId, token }: TestDelivery): {
  tenantId: string
  id: string
  token: number
} {
  return { tenantId, id: deliveryId, token }
}

function keep(world: World, works: readonly TestDelivery[]): void {
  world.messages.push(...works)
  world.eventIds.push(...works.map((work) => work.eventId))
}

/** Changes one of so many parts of the tenant's rows, as time would; it may meet a statement. */
async function changeSome(world: World, text: string, parts: number): Promise<void> {
  const part = Math.floor(world.chance() * parts)
  await withRetries(() => stage.pool.query(text, [world.tenant.tenantId, part]))
}

const OPERATIONS: Record<string, (world: World) => Promise<void>> = {
  async acceptDirect(world) {
    const destination = world.chance() < 0.5 ? DESTINATION : `${DESTINATION}/other`
    const delaySeconds = world.chance() < 0.2 ? 60 : 0
    const count = 1 + Math.floor(world.chance() * 3)
    keep(world, await acceptDirect(stage.pool, world.tenant, count, { destination, delaySeconds }))
  },
  async acceptTyped(world) {
    const events = [typedEvent(world.tenant), typedEvent(world.tenant)]
    await acceptEvents(stage.pool, events)
    world.waiting.push(...events.map(({ id }) => id))
    world.eventIds.push(...events.map(({ id }) => id))
  },
  async acceptFannedOut(world) {
    keep(world, await acceptTyped(stage.pool, world.tenant, world.pick(world.endpoints, 3)))
  },
  async acceptBatch(world) {
    const events = [directEvent(world.tenant), directEvent(world.tenant)]
    const twin = world.chance() < 0.5 ? { idempotencyKey: events[0]?.idempotencyKey ?? '' } : {}
    await acceptAllEvents(stage.pool, [...events, directEvent(world.tenant, twin)])
  },
  async fanOut(world) {
    const { tenantId } = world.tenant
    const events = world.pick(world.waiting, 3).map((eventId) => ({
      tenantId,
      eventId,
      deliveries: world
        .pick(world.endpoints, 4)
        .slice(1)
        .map((endpointId) => ({ deliveryId: newId(), endpointId })),
    }))
    await fanOut(stage.pool, events) // its announcements are lost: the sweep finds them
  },
  async begin(world) {
    const works = world.pick(world.messages, 4)
    const tokens = await beginAttempts(stage.pool, works.map(leaseOf))
    for (const work of works) work.token = tokens.get(work.deliveryId) ?? work.token
  },
  async renew(world) {
    await renewLeases(stage.pool, world.pick(world.messages, 4).map(leaseOf))
  },
  async record(world) {
    const attempts = world.pick(world.messages, 6).map((work) => {
      const chance = world.chance()
      if (chance < 0.4) return attemptOf(work, { state: 'delivered' })
      if (chance < 0.8) return attemptOf(work, { state: 'waiting', afterMs: 60_000 })
      return attemptOf(work, { state: 'dead', reason: 'attempts used up' })
    })
    const { refused } = await recordAttempts(stage.pool, attempts)
    expect(refused).toEqual([])
  },
  async park(world) {
    const works = world.pick(world.messages, 6)
    world.backlogs.push(
      ...(await parkDeliveries(stage.pool, works)).map((made) => ({
        v: 1 as const,
        kind: 'backlog' as const,
        ...made,
      })),
    )
  },
  async serve(world) {
    for (const announced of world.pick(world.backlogs, 2)) {
      const backlog = await takeBacklog(stage.pool, announced)
      if (backlog === null) continue
      const taken = await takeParked(stage.pool, backlog, 1 + Math.floor(world.chance() * 4))
      await announce(world, taken.deliveries)
      if (taken.unparked === 0) await finishBacklog(stage.pool, backlog, taken.parks)
    }
  },
  async cancel(world) {
    const { tenantId } = world.tenant
    const works = world.pick(world.messages, 2)
    await cancelDeliveries(
      stage.pool,
      works.map(({ deliveryId }) => ({ tenantId, deliveryId, reason: 'endpoint deleted' })),
    )
  },
  async replay(world) {
    const { work } = await replayEvents(
      stage.pool,
      world.tenant.tenantId,
      world.pick(world.eventIds, 4),
    )
    await announce(world, work)
  },
  async edit(world) {
    const [eventId] = world.pick(world.eventIds, 1)
    const edit = world.chance() < 0.5 ? { destination: `${DESTINATION}/edited` } : { payload: '{}' }
    if (eventId === undefined) return
    const answer = await editEvent(
      stage.pool,
      world.tenant.tenantId,
      eventId,
      edit,
      world.chance() < 0.5,
    )
    if (answer.outcome === 'edited') await announce(world, answer.replayed?.work ?? [])
  },
  async timePasses(world) {
    await changeSome(
      world,
      `UPDATE due SET due_at = now() - interval '1 second' WHERE tenant_id = $1
       AND hashtext(id::text) % 4 = $2`,
      4,
    )
    const swept = await sweepDue(stage.pool, 20)
    await announce(world, swept.deliveries)
    world.backlogs.push(...swept.backlogs)
    world.waiting.push(...swept.events.map(({ eventId }) => eventId))
  },
  async heldTooLong(world) {
    await changeSome(
      world,
      `UPDATE parked SET parked_at = now() - interval '40 days' WHERE tenant_id = $1
       AND hashtext(delivery_id::text) % 8 = $2`,
      8,
    )
    await expireParked(stage.pool, 30, 5)
  },
}

function operation(world: World): (world: World) => Promise<void> {
  const all = Object.values(OPERATIONS)
  return all[Math.floor(world.chance() * all.length)] as (world: World) => Promise<void>
}

/** Until nothing is open: sweeps, serves and delivers whatever there is. */
async function drain(world: World): Promise<void> {
  const { tenantId } = world.tenant
  for (let round = 0; round < 200; round += 1) {
    await stage.pool.query(
      `UPDATE due SET due_at = now() - interval '1 second' WHERE tenant_id = $1`,
      [tenantId],
    )
    const { events, deliveries, backlogs, rows } = await sweepDue(stage.pool, 500)
    if (rows === 0) return
    await fanOut(
      stage.pool,
      events.map(({ eventId }) => ({ tenantId, eventId, deliveries: [] })),
    )
    await recordAttempts(
      stage.pool,
      deliveries.map((message) => attemptOf(toWork(message), { state: 'delivered' })),
    )
    for (const announced of backlogs) {
      const backlog = await takeBacklog(stage.pool, announced)
      const taken = backlog === null ? null : await takeParked(stage.pool, backlog, 50)
      if (backlog !== null && taken?.unparked === 0)
        await finishBacklog(stage.pool, backlog, taken.parks)
    }
  }
  throw new Error('it is never done')
}

async function expectDrained(world: World): Promise<void> {
  await drain(world)
  expect(await findBroken(stage.pool)).toEqual([])
  for (const table of ['due', 'parked', 'backlogs']) {
    expect([
      table,
      await countRows(stage.pool, table, 'tenant_id = $1', [world.tenant.tenantId]),
    ]).toEqual([table, 0])
  }
  expect(
    await countRows(stage.pool, 'events', 'tenant_id = $1 AND ended_at IS NULL', [
      world.tenant.tenantId,
    ]),
  ).toBe(0)
}

test.each([1, 2, 3])('one after the other, in an order made from seed %d', async (seed) => {
  const world = createWorld(await makeTenant(stage.pool), seed)
  for (let step = 1; step <= 250; step += 1) {
    await operation(world)(world)
    if (step % 25 === 0) expect([step, await findBroken(stage.pool)]).toEqual([step, []])
  }
  expect(await repairBacklogs(stage.pool)).toBe(0)
  await expectDrained(world)
})

test.each([11, 12])(
  'four at a time, chosen with seed %d: in the end it is all the same',
  async (seed) => {
    const world = createWorld(await makeTenant(stage.pool), seed)
    for (let step = 1; step <= 60; step += 1) {
      await Promise.all(Array.from({ length: 4 }, () => operation(world)(world)))
    }
    const broken = await findBroken(stage.pool)
    // For a moment a delivery that two statements meet in may wait in two places, or where it has
    // ended in one: the drain shows that it goes once, and that nothing is left waiting.
    const forAMoment = ['an open delivery waits', 'a delivery that has ended waits for nothing']
    const lasting = broken.filter((rule) => !forAMoment.some((one) => rule.startsWith(one)))
    expect(lasting).toEqual([])
    await expectDrained(world)
  },
)
