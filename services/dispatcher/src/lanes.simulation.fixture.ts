/**
 * One random schedule of FIFO lanes: two fan-outs and two dispatchers over a bus that loses,
 * repeats and reorders, a clock that jumps, processes that die between any two steps or stop in the
 * middle of an attempt. What they decide and write is the product's own; only who moves next is
 * drawn. For a test.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { cancelDeliveries } from '@posthorn/store/pipeline/cancel-deliveries'
import {
  fanOutInOrder,
  readOldestWaiting,
  readWaitingEvents,
  type WaitingEvent,
} from '@posthorn/store/pipeline/fan-out'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import { renewLeases } from '@posthorn/store/pipeline/renew-leases'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import { type Swept, sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import { takeBy } from './intake/resolve-ownership.ts'
import { mayStillSend } from './send/send-attempt.ts'

export interface Schedule {
  tenantId: string
  /** What the endpoint saw, in its order. */
  arrivals: Arrival[]
  /** Events by lane, in the order of acceptance. */
  accepted: Map<string, string[]>
  /** Cancelled without an attempt: these need not arrive. */
  cancelled: Set<string>
  replayed: Set<string>
  /** What a sweep for everybody has found of this tenant. */
  swept(found: Swept): void
  run(): Promise<void>
}

export interface Arrival {
  lane: string
  eventId: string
  /** Its process was stopped between its last look at its lease and the wire. */
  wasStopped: boolean
}

interface Head {
  message: DueDelivery
  token: number
  leasedUntil: number
  lost: boolean
  /** stopped: has looked at its lease and is about to write. answered: not recorded yet. */
  phase: 'waiting' | 'stopped' | 'answered'
  succeeded: boolean
}

type Dispatcher = Map<string, Head>

const STEPS = 20
const EVENTS = 5
const MAX_ATTEMPTS = 3
/** A schedule that is left alone ends after a few attempts of each event. */
const MAX_ROUNDS = 60

/** A small generator of numbers in [0, 1) from a seed: mulberry32. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** @param sweepAll sweeps for everybody, and tells each tenant's schedule */
export function createSchedule(
  pool: Pool,
  seed: number,
  tenant: { tenantId: string; projectId: string },
  sweepAll: (sweep: () => Promise<Swept>) => Promise<void>,
): Schedule {
  const chance = createChance(seed)
  const below = (count: number): number => Math.floor(chance() * count)
  const { tenantId } = tenant
  const endpointId = newId()
  const dispatchers: [Dispatcher, Dispatcher] = [new Map(), new Map()]
  /** One may be frozen for a while: it keeps what it has, and knows nothing of what happens. */
  let awake: readonly Dispatcher[] = dispatchers
  const bus: DueDelivery[] = []
  const accepted = new Map<string, string[]>()
  const laneOfEvent = new Map<string, string>()
  const [cancelled, replayed] = [new Set<string>(), new Set<string>()]
  const arrivals: Arrival[] = []
  const lanes = 1 + below(2)
  let accepting = Promise.resolve()
  let announced = 0
  let isCalm = false
  let aheadMs = 0
  const now = (): number => performance.now() + aheadMs

  /** One answered before the next is sent: of others no order is promised. */
  async function accept(): Promise<void> {
    accepting = accepting.then(acceptOne)
    await accepting
  }

  async function acceptOne(): Promise<void> {
    if (laneOfEvent.size >= EVENTS) return
    const lane = `lane ${below(lanes)}`
    const id = newId()
    const event = {
      ...tenant,
      id,
      source: 'api' as const,
      idempotencyKey: id,
      destination: null,
      targetId: null,
      eventType: 'order.paid',
      payload: JSON.stringify(lane),
      headers: null,
      maxAttempts: null,
      traceId: 't',
      priority: 1 + below(10),
      delaySeconds: 0,
    }
    laneOfEvent.set(id, lane)
    await acceptEvents(pool, [event])
    accepted.set(lane, [...(accepted.get(lane) ?? []), id])
    announced += 1
  }

  async function fanOut(limit = 1 + below(3)): Promise<void> {
    if (announced === 0) return
    if (chance() < 0.8) announced -= 1
    const made = new Map<string, { event: WaitingEvent; lane: string }>()
    const oldest = await readOldestWaiting(pool, [{ tenantId, limit }])
    const planned = (await readWaitingEvents(pool, oldest)).map((event) => {
      const [deliveryId, lane] = [newId(), laneOfEvent.get(event.id) ?? '']
      made.set(deliveryId, { event, lane })
      return { tenantId, eventId: event.id, deliveries: [{ deliveryId, endpointId, lane }] }
    })
    const { tokens } = await fanOutInOrder(pool, tenantId, planned)
    for (const [deliveryId, token] of tokens) {
      const { event, lane } = made.get(deliveryId) as { event: WaitingEvent; lane: string }
      announce(toMessage(event, deliveryId, lane, token ?? 0))
    }
  }

  function toMessage(
    event: WaitingEvent,
    deliveryId: string,
    lane: string,
    token: number,
  ): DueDelivery {
    const { id: eventId, projectId, eventType, payload, priority, seq, traceId } = event
    return {
      v: 1,
      kind: 'delivery',
      token,
      tenantId,
      projectId,
      eventId,
      deliveryId,
      endpointId,
      lane,
      destination: null,
      eventType,
      payload,
      headers: null,
      priority,
      seq,
      attempts: 0,
      attemptsBefore: 0,
      maxAttempts: null,
      traceId,
      createdAt: timeOfId(eventId),
    }
  }

  /** Lost, while it is not calm, or there a few times. */
  function announce(message: DueDelivery): void {
    for (let copies = Math.max(below(4), isCalm ? 1 : 0); copies > 0; copies -= 1)
      bus.push({ ...message })
  }

  async function take(dispatcher: Dispatcher): Promise<void> {
    const [message] = bus.splice(below(bus.length), 1)
    if (message === undefined) return
    const here = dispatcher.get(message.deliveryId)
    if (here !== undefined && message.token <= here.token) return
    const how = takeBy(message.token, message.token / 1_000 - LEASE_MS, message.lane)
    if (how.by !== 'renewal') throw new Error('a head was claimed outside of Postgres')
    const askedAt = now()
    const row = { tenantId, id: message.deliveryId, token: message.token }
    const token = (await renewLeases(pool, [row])).get(message.deliveryId)
    if (token !== undefined) takeOn(dispatcher, message, token, askedAt)
  }

  function takeOn(
    dispatcher: Dispatcher,
    message: DueDelivery,
    token: number,
    askedAt: number,
  ): void {
    const here = dispatcher.get(message.deliveryId)
    const leasedUntil = askedAt + LEASE_MS
    if (here !== undefined) Object.assign(here, { token, leasedUntil, lost: false })
    else {
      const fresh = { phase: 'waiting', succeeded: false, lost: false } as const
      dispatcher.set(message.deliveryId, { message, token, leasedUntil, ...fresh })
    }
  }

  function pick(dispatcher: Dispatcher, phase: Head['phase']): Head | undefined {
    const heads = [...dispatcher.values()].filter((head) => head.phase === phase)
    return heads[below(heads.length)]
  }

  function send(dispatcher: Dispatcher): void {
    const head = pick(dispatcher, 'waiting')
    if (head === undefined) return
    if (!mayStillSend(head, now())) dispatcher.delete(head.message.deliveryId)
    else if (chance() < 0.2) head.phase = 'stopped'
    else write(head, false)
  }

  function write(head: Head, wasStopped: boolean): void {
    const { eventId, lane } = head.message
    arrivals.push({ lane: lane ?? '', eventId, wasStopped })
    head.phase = 'answered'
    head.succeeded = chance() < 0.75
  }

  function goOn(dispatcher: Dispatcher): void {
    const head = pick(dispatcher, 'stopped')
    if (head !== undefined) write(head, true)
  }

  async function record(dispatcher: Dispatcher): Promise<void> {
    const head = pick(dispatcher, 'answered')
    if (head === undefined) return
    const askedAt = now()
    const { released } = await recordAttempts(pool, [toAttempt(head)])
    dispatcher.delete(head.message.deliveryId)
    // It may die just now.
    if (isCalm || chance() < 0.8)
      for (const next of released) takeOn(dispatcher, next, next.token, askedAt)
  }

  function toAttempt({ message, succeeded, token }: Head): AttemptRecord {
    const { projectId, eventId, deliveryId, lane, attempts, attemptsBefore } = message
    const outcome = { statusCode: succeeded ? 200 : 500, error: succeeded ? '' : 'http_5xx' }
    return {
      tenantId,
      id: newId(),
      projectId,
      eventId,
      deliveryId,
      endpointId,
      eventType: 'order.paid',
      endpointVersion: 1,
      url: 'http://example.com',
      attemptNumber: attempts + 1,
      ...outcome,
      durationMs: 1,
      overheadUs: 1,
      responseBody: '',
      responseHeaders: null,
      requestBody: null,
      next: nextOf(succeeded, attempts + 1 - attemptsBefore),
      head: { lane: lane ?? '', token },
    }
  }

  function nextOf(succeeded: boolean, attempts: number): AttemptRecord['next'] {
    if (succeeded) return { state: 'delivered' }
    if (attempts >= MAX_ATTEMPTS) return { state: 'dead', reason: 'attempts used up' }
    return { state: 'waiting', afterMs: 1_000 }
  }

  async function renew(dispatcher: Dispatcher): Promise<void> {
    const heads = [...dispatcher.values()].filter((head) => !head.lost)
    const askedAt = now()
    const rows = heads.map(({ message, token }) => ({ tenantId, id: message.deliveryId, token }))
    const tokens = await renewLeases(pool, rows)
    for (const head of heads) {
      const token = tokens.get(head.message.deliveryId)
      if (token === undefined) head.lost = true
      else Object.assign(head, { token, leasedUntil: askedAt + LEASE_MS })
    }
  }

  async function cancel(dispatcher: Dispatcher): Promise<void> {
    const head = pick(dispatcher, 'waiting')
    if (head === undefined || arrivals.some(({ eventId }) => eventId === head.message.eventId))
      return
    const { deliveryId, eventId, lane } = head.message
    const askedAt = now()
    const where = { endpointId, lane: lane ?? '', token: head.token, whole: false }
    const released = await cancelDeliveries(pool, [
      { tenantId, deliveryId, reason: 'event deleted', head: where },
    ])
    // Under a lease that was lost nothing is given up.
    const { rowCount } = await pool.query(
      `SELECT FROM deliveries WHERE tenant_id = $1 AND id = $2 AND dead_reason = 'event deleted'`,
      [tenantId, deliveryId],
    )
    if (rowCount === 1) cancelled.add(eventId)
    dispatcher.delete(deliveryId)
    for (const next of released) takeOn(dispatcher, next, next.token, askedAt)
  }

  async function replay(): Promise<void> {
    const eventId = arrivals[below(arrivals.length)]?.eventId
    if (eventId === undefined) return
    const { eventIds, work } = await replayEvents(pool, tenantId, [eventId])
    if (eventIds.size > 0) replayed.add(eventId)
    work.forEach(announce)
  }

  /** Time passes for Postgres and for the processes: tokens are times, and move with it. */
  async function pass(ms: number): Promise<void> {
    await pool.query(
      `UPDATE due SET due_at = due_at - $2 * interval '1 millisecond' WHERE tenant_id = $1`,
      [tenantId, ms],
    )
    aheadMs += ms
    for (const message of bus) message.token -= ms * 1_000
    for (const dispatcher of dispatchers) {
      for (const head of dispatcher.values()) head.token -= ms * 1_000
    }
  }

  async function step(): Promise<void> {
    const dispatcher = awake[below(awake.length)] as Dispatcher
    const drawn = chance()
    if (drawn < 0.08) await accept()
    else if (drawn < 0.16) await fanOut()
    else if (drawn < 0.4) await take(dispatcher)
    else if (drawn < 0.63) send(dispatcher)
    else if (drawn < 0.67) goOn(dispatcher)
    else if (drawn < 0.87) await record(dispatcher)
    else if (drawn < 0.91) await renew(dispatcher)
    else if (drawn < 0.93) dispatcher.clear()
    else if (drawn < 0.95) await cancel(dispatcher)
    else if (drawn < 0.97) await replay()
    else await sweepAll(() => sweepDue(pool, 100))
  }

  /** Left alone, everything ends. */
  async function calmDown(): Promise<void> {
    isCalm = true
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await fanOut(100)
      for (const dispatcher of dispatchers) {
        while (bus.length > 0 && chance() < 0.9) await take(dispatcher)
        while (pick(dispatcher, 'waiting') !== undefined) send(dispatcher)
        while (pick(dispatcher, 'stopped') !== undefined) goOn(dispatcher)
        while (pick(dispatcher, 'answered') !== undefined) await record(dispatcher)
      }
      const { rowCount } = await pool.query('SELECT FROM due WHERE tenant_id = $1 LIMIT 1', [
        tenantId,
      ])
      if (rowCount === 0) return
      if (round % 2 === 0) continue
      await pass(LEASE_MS)
      await sweepAll(() => sweepDue(pool, 100))
    }
    throw new Error('it does not come to an end')
  }

  return {
    tenantId,
    arrivals,
    accepted,
    cancelled,
    replayed,
    swept(found) {
      announced += found.events.filter((event) => event.tenantId === tenantId).length
      for (const one of found.deliveries) if (one.tenantId === tenantId) announce(one)
    },
    async run() {
      for (let events = below(EVENTS); events > 0; events -= 1) await accept()
      await fanOut(EVENTS)
      for (let steps = 0; steps < STEPS; steps += 1) {
        // Some at the very same time; time itself passes between them.
        if (chance() < 0.15) {
          await pass(chance() < 0.7 ? LEASE_MS : 3_000)
          awake = chance() < 0.4 ? dispatchers : [dispatchers[below(2)] as Dispatcher]
          await sweepAll(() => sweepDue(pool, 100))
        }
        await Promise.all(chance() < 0.4 ? [step(), step(), step()] : [step()])
      }
      await calmDown()
    },
  }
}
