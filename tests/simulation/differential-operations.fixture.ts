/** The random operations that are performed on both stores. */
import { newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { cancelDeliveries } from '@posthorn/store/pipeline/cancel-deliveries'
import { fanOut, fanOutInOrder, readOldestWaiting } from '@posthorn/store/pipeline/fan-out'
import { countFanOutFailures } from '@posthorn/store/pipeline/fan-out-failures'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import * as backlogs from '@posthorn/store/pipeline/backlogs'
import { repairLanes } from '@posthorn/store/pipeline/lanes'
import { acquireLeadership } from '@posthorn/store/pipeline/leadership'
import { beginAttempts, releaseLeases, renewLeases } from '@posthorn/store/pipeline/renew-leases'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { editEvent, replayEvents } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import {
  both,
  type Comparison,
  type Delivery,
  learn,
  pickDeliveries,
  type Side,
  tokenOf,
} from './comparison.fixture.ts'

async function accept(run: Comparison): Promise<void> {
  const { tenantId, projectId, random, endpoints, events, typed, deliveries } = run
  const again = random.happens(0.2) && events.length > 0 ? random.pick(events) : undefined
  const isDirect = random.happens(0.5)
  const destination = isDirect ? 'http://example.com/' : null
  const event: NewEvent = {
    tenantId,
    projectId,
    source: 'api',
    id: newId(),
    idempotencyKey: again?.idempotencyKey ?? newId(),
    destination,
    targetId: destination === null ? null : directTargetId(tenantId, destination),
    eventType: isDirect ? null : 'order.paid',
    payload: '{}',
    headers: null,
    maxAttempts: null,
    priority: 1 + random.below(3),
    traceId: 'trace',
    delaySeconds: random.happens(0.1) ? 5 : 0,
    endpointIds: !isDirect && random.happens(0.2) ? endpoints.slice(0, 1) : undefined,
  }
  // Several events have another statement than one. The second has the key of the first.
  const others = random.happens(0.3) ? [{ ...event, id: newId() }] : []
  await both(run, 'accept', async (side) => {
    const [outcome] = await acceptEvents(side.pool, [event, ...others])
    if (outcome?.outcome === 'accepted') {
      learn(side, event.id, outcome.token)
      side.seqs.set(event.id, outcome.seq)
    }
    return outcome
  })
  if (again !== undefined) return
  events.push(event)
  const { id, priority, targetId } = event
  if (!isDirect) typed.push(id)
  else {
    const direct = { id, eventId: id, endpointId: null, lane: null, priority, attempts: 0 }
    deliveries.push({ ...direct, targetId: targetId ?? '' })
  }
}

async function fan(run: Comparison): Promise<void> {
  const { tenantId, random, endpoints, events, typed, deliveries } = run
  if (typed.length === 0) return
  const eventId = random.pick(typed)
  const inOrder = random.happens(0.6)
  const made = new Map<string, Delivery[]>()
  const make = (id: string): Delivery[] => {
    const known = made.get(id)
    if (known !== undefined) return known
    const event = events.find((one) => one.id === id)
    const mine = endpoints.slice(0, 1 + random.below(2)).map(
      (endpointId): Delivery => ({
        id: newId(),
        eventId: id,
        endpointId,
        targetId: endpointId,
        attempts: 0,
        lane: inOrder ? random.pick(['a', 'b']) : null,
        priority: event?.priority ?? 5,
      }),
    )
    made.set(id, mine)
    return mine
  }
  const toOut = (id: string) => {
    const mine = make(id).map(({ id: deliveryId, endpointId, lane }) => {
      return { deliveryId, endpointId: endpointId ?? '', ...(lane === null ? {} : { lane }) }
    })
    return { tenantId, eventId: id, deliveries: mine }
  }
  const limit = 1 + random.below(3)
  const skipped = random.below(4) === 0 ? random.below(limit) : null
  // Now and then one of the events was not planned, and everything behind it waits.
  const fanOutOldest = async (pool: Pool) => {
    const oldest = await readOldestWaiting(pool, [{ tenantId, limit }])
    const planned = oldest.filter((_, at) => at !== skipped).map((one) => toOut(one.eventId))
    return (await fanOutInOrder(pool, tenantId, planned)).tokens
  }
  await both(run, 'fan out', async (side) => {
    const tokens = inOrder
      ? await fanOutOldest(side.pool)
      : await fanOut(side.pool, [toOut(eventId)])
    for (const [id, token] of tokens) learn(side, id, token)
    return tokens
  })
  deliveries.push(...[...made.values()].flat())
}

async function lease(
  run: Comparison,
  what: string,
  act: (pool: Pool, leased: { tenantId: string; id: string; token: number }[]) => Promise<unknown>,
): Promise<void> {
  const { tenantId } = run
  const picked = pickDeliveries(run)
  await both(run, what, async (side) => {
    const leased = picked.map(({ delivery: { id }, age }) => {
      return { tenantId, id, token: tokenOf(side, id, age) }
    })
    const answer = await act(side.pool, leased)
    if (answer instanceof Map) for (const [id, token] of answer) learn(side, id, token as number)
    return answer
  })
}

async function record(run: Comparison): Promise<void> {
  const { tenantId, projectId, random, edits, deliveries } = run
  const picked = pickDeliveries(run).map((one) => ({
    ...one,
    attemptId: newId(),
    number: one.delivery.attempts + (random.happens(0.15) ? 2 : 1),
    edition: random.happens(0.15) ? 0 : (edits.get(one.delivery.eventId) ?? 0),
    next: random.pick<AttemptRecord['next']>([
      { state: 'delivered' },
      { state: 'waiting', afterMs: 3_000 },
      { state: 'waiting', afterMs: 3_000 },
      { state: 'dead', reason: 'attempts used up' },
    ]),
  }))
  const [answer] = await both(run, 'record', async (side) => {
    const rows = picked.map(
      ({ delivery, age, attemptId, number, edition, next }): AttemptRecord => {
        const { id: deliveryId, eventId, endpointId, lane } = delivery
        const head = lane === null ? null : { lane, token: tokenOf(side, deliveryId, age) }
        return {
          tenantId,
          projectId,
          id: attemptId,
          eventId,
          deliveryId,
          endpointId,
          endpointVersion: 1,
          eventType: null,
          url: 'http://example.com/',
          attemptNumber: number,
          edition,
          statusCode: 200,
          error: '',
          durationMs: 1,
          overheadUs: 1,
          responseBody: '',
          responseHeaders: null,
          requestBody: null,
          next,
          head,
        }
      },
    )
    const recorded = await recordAttempts(side.pool, rows)
    for (const { deliveryId, token } of recorded.released) learn(side, deliveryId, token)
    return recorded
  })
  const { written } = answer as { written: { deliveryId: string; attemptNumber: number }[] }
  for (const { deliveryId, attemptNumber } of written) {
    const delivery = deliveries.find(({ id }) => id === deliveryId)
    if (delivery !== undefined) delivery.attempts = attemptNumber
  }
}

async function cancel(run: Comparison): Promise<void> {
  const { tenantId, random } = run
  const picked = pickDeliveries(run)
  const whole = random.happens(0.3)
  await both(run, 'cancel', async (side) => {
    const released = await cancelDeliveries(
      side.pool,
      picked.map(({ delivery: { id: deliveryId, endpointId, lane }, age }) => {
        const one = { tenantId, deliveryId, reason: 'endpoint deleted' }
        if (lane === null || endpointId === null) return one
        return {
          ...one,
          head: { endpointId, lane, token: tokenOf(side, deliveryId, age), whole },
        }
      }),
    )
    for (const { deliveryId, token } of released) learn(side, deliveryId, token)
    return released
  })
}

function keep(side: Side, backlog: backlogs.OwnedBacklog): void {
  learn(side, backlog.targetId, backlog.token)
  side.epochs.set(backlog.targetId, [...(side.epochs.get(backlog.targetId) ?? []), backlog])
}

async function park(run: Comparison): Promise<void> {
  const { tenantId } = run
  const picked = pickDeliveries(run)
  await both(run, 'park', async (side) => {
    const rows = picked.map(({ delivery, age }): backlogs.DeliveryToPark => {
      const { id: deliveryId, eventId, targetId, endpointId, priority } = delivery
      const token = tokenOf(side, deliveryId, age)
      const seq = side.seqs.get(eventId) ?? 0
      return { tenantId, deliveryId, eventId, token, targetId, endpointId, priority, seq }
    })
    const leased = await backlogs.parkDeliveries(side.pool, rows)
    for (const backlog of leased) keep(side, backlog)
    return leased
  })
}

/** A backlog that was parked to or taken over, perhaps not the latest. */
function backlogOf(side: Side, target: number, age: number): backlogs.OwnedBacklog | undefined {
  const targets = [...side.epochs.values()]
  return targets[target % Math.max(1, targets.length)]?.at(-1 - age)
}

async function backlog(run: Comparison): Promise<void> {
  const { tenantId, random } = run
  const [target, age, limit] = [random.below(3), random.happens(0.3) ? 1 : 0, 1 + random.below(3)]
  const what = random.pick(['take over', 'take', 'take', 'finish', 'finish', 'postpone'] as const)
  const many = random.happens(0.5)
  await both(run, `backlog: ${what}`, async (side) => {
    const leased = backlogOf(side, target, age)
    if (leased === undefined) return null
    const { targetId, endpointId } = leased
    if (what === 'take over') {
      const token = tokenOf(side, targetId, age)
      const due = { v: 1, kind: 'backlog', tenantId, targetId, endpointId, token } as const
      const taken = await backlogs.takeBacklog(side.pool, due)
      if (taken !== null) keep(side, taken)
      return taken
    }
    if (what === 'finish')
      return await backlogs.finishBacklog(side.pool, leased, side.parks.get(targetId) ?? 0)
    if (what === 'postpone')
      return await backlogs.postponeBacklog(
        side.pool,
        { ...leased, token: tokenOf(side, targetId, age) },
        5_000,
      )
    const others = [...side.epochs].filter(([id]) => many && id !== targetId)
    const takes = [leased, ...others.flatMap(([, epochs]) => epochs.at(-1) ?? [])].map((one) => ({
      backlog: one,
      limit,
    }))
    const all = await backlogs.takeParkedOfMany(side.pool, takes)
    all.forEach((taken, at) => {
      const of = takes[at]?.backlog.targetId ?? ''
      if (taken.owned) side.parks.set(of, taken.parks)
      for (const { deliveryId, token } of taken.deliveries) learn(side, deliveryId, token)
    })
    return all
  })
}

async function sweep(run: Comparison): Promise<void> {
  const { random, sides } = run
  const ms = random.pick([0, 4_000, 11_000])
  for (const side of sides) {
    await side.pass(ms)
    for (const tokens of side.tokens.values())
      tokens.forEach((token, index) => (tokens[index] = token - ms * 1_000))
    for (const leased of side.epochs.values()) for (const one of leased) one.token -= ms * 1_000
  }
  await both(run, 'sweep', async (side) => {
    const swept = await sweepDue(side.pool, 100)
    for (const { deliveryId, token } of swept.deliveries) learn(side, deliveryId, token)
    for (const { targetId, token } of swept.backlogs) learn(side, targetId, token)
    // Both measure real time, one after the other.
    return { ...swept, nextInMs: swept.nextInMs === null ? null : 'soon' }
  })
}

async function failToFanOut(run: Comparison): Promise<void> {
  const { tenantId, random, events, typed } = run
  const picked = [random.pick(typed), random.pick(events).id]
  const failures = [...new Set(picked)].flatMap((eventId) =>
    eventId === undefined ? [] : { tenantId, eventId, reason: 'refused' },
  )
  await both(run, 'fail to fan out', (side) => countFanOutFailures(side.pool, failures))
}

async function replay(run: Comparison): Promise<void> {
  const { tenantId, random, events } = run
  const ids = [random.pick(events).id]
  await both(run, 'replay', async (side) => {
    const replayed = await replayEvents(side.pool, tenantId, ids)
    for (const { deliveryId, token } of replayed.work) learn(side, deliveryId, token)
    return replayed
  })
}

async function edit(run: Comparison): Promise<void> {
  const { tenantId, random, events, edits } = run
  const { id } = random.pick(events)
  const isReplayed = random.happens(0.5)
  const [answer] = await both(run, 'edit', async (side) => {
    const edited = await editEvent(side.pool, tenantId, id, { payload: '{"n":1}' }, isReplayed)
    if (edited.outcome === 'edited')
      for (const { deliveryId, token } of edited.replayed?.work ?? [])
        learn(side, deliveryId, token)
    return edited
  })
  if ((answer as { outcome: string }).outcome === 'edited') edits.set(id, (edits.get(id) ?? 0) + 1)
}

async function repair(run: Comparison): Promise<void> {
  const { tenantId, random, endpoints, deliveries } = run
  const targetId = random.pick(deliveries).targetId
  const all = random.happens(0.5)
  const owner = random.pick(['a', 'b'])
  await both(run, 'wake', (side) => backlogs.wakeTarget(side.pool, tenantId, targetId, all))
  if (all && endpoints.includes(targetId))
    await both(run, 'follow', (side) => followMode(side.pool, { tenantId, endpointId: targetId }))
  await both(run, 'repair', async (side) => [
    await backlogs.repairBacklogs(side.pool),
    await repairLanes(side.pool),
    await acquireLeadership(side.pool, tenantId, owner, 60_000),
  ])
}

/** What is done to both stores, each with how often it is drawn. */
const WEIGHTED: readonly [number, (run: Comparison) => Promise<void>][] = [
  [4, accept],
  [4, fan],
  [1, (run) => lease(run, 'renew', renewLeases)],
  [1, (run) => lease(run, 'begin', beginAttempts)],
  [1, (run) => lease(run, 'release', releaseLeases)],
  [6, record],
  [1, cancel],
  [3, park],
  [4, backlog],
  [4, sweep],
  [2, replay],
  [3, failToFanOut],
  [2, edit],
  [1, repair],
]

const OPERATIONS = WEIGHTED.flatMap(([weight, operation]) =>
  Array.from({ length: weight }, () => operation),
)

/** Performs one operation that is possible with what there is. */
export async function operate(run: Comparison): Promise<void> {
  const { random, deliveries, events } = run
  const operation = deliveries.length === 0 ? random.pick([accept, fan]) : random.pick(OPERATIONS)
  await (events.length === 0 ? accept(run) : operation(run))
}
