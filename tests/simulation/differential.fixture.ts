/**
 * The same random operations on two stores, and what they answer and hold afterwards side by side. Ids are the caller's and
 * the same on both; tokens and times are each store's own, so an operation names a token by the row that it is of and by
 * how old it is.
 */
import { newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { cancelDeliveries } from '@posthorn/store/pipeline/cancel-deliveries'
import { fanOut, fanOutInOrder, readOldestWaiting } from '@posthorn/store/pipeline/fan-out'
import { countFanOutFailures } from '@posthorn/store/pipeline/fan-out-failures'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import * as hold from '@posthorn/store/pipeline/backlogs'
import { repairLanes } from '@posthorn/store/pipeline/lanes'
import {
  beginAttempts,
  acquireLeadership,
  releaseLeases,
  renewLeases,
} from '@posthorn/store/pipeline/renew-leases'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { editEvent, replayEvents } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import type { SeededRandom } from './seeded-random.ts'

export interface ComparedStore {
  pool: Pool
  /** As if so much time had passed. */
  pass(ms: number): Promise<void>
  /** All rows that matter, told the same by every store. */
  rows(): Promise<Record<string, unknown[]>>
}

interface Side extends ComparedStore {
  /** By the id of a row of `due`, the newest last. */
  tokens: Map<string, number[]>
  epochs: Map<string, hold.OwnedBacklog[]>
  parks: Map<string, number>
  /** Of events. */
  seqs: Map<string, number>
}

interface Delivery {
  id: string
  eventId: string
  endpointId: string | null
  targetId: string
  lane: string | null
  priority: number
  /** As far as the operations have counted. */
  tries: number
}

export interface TestTenant {
  tenantId: string
  projectId: string
  /** An endpoint of the project that asks for operational events. */
  subscriberId: string
}

const STEPS = 40

export async function compareStores(
  stores: readonly [ComparedStore, ComparedStore],
  tenant: TestTenant,
  chance: SeededRandom,
): Promise<string[]> {
  const { tenantId, projectId } = tenant
  const sides = stores.map(
    (store): Side => ({
      ...store,
      tokens: new Map(),
      epochs: new Map(),
      parks: new Map(),
      seqs: new Map(),
    }),
  )
  const endpoints = [newId(), newId()]
  const events: NewEvent[] = []
  const typed: string[] = []
  /** By event. */
  const edits = new Map<string, number>()
  const deliveries: Delivery[] = []
  const different: string[] = []

  /** Does it on both, and compares what they say. */
  async function both(
    what: string,
    operation: (side: Side) => Promise<unknown>,
  ): Promise<[unknown, unknown]> {
    const [a, b] = [await operation(sides[0] as Side), await operation(sides[1] as Side)]
    const [left, right] = [JSON.stringify(plain(a)), JSON.stringify(plain(b))]
    if (left !== right) different.push(`${what}: ${left} and ${right}`)
    return [a, b]
  }

  function learn(side: Side, id: string, token: number | null | undefined): void {
    if (token === null || token === undefined) return
    side.tokens.set(id, [...(side.tokens.get(id) ?? []), token])
  }

  /** The newest, or an older one, which nobody may act with. */
  function tokenOf(side: Side, id: string, age: number): number {
    return side.tokens.get(id)?.at(-1 - age) ?? 1
  }

  function pickDeliveries(): { delivery: Delivery; age: number }[] {
    const picked = new Set(
      Array.from({ length: 1 + chance.below(3) }, () => chance.pick(deliveries)),
    )
    return [...picked].map((delivery) => ({ delivery, age: chance.happens(0.25) ? 1 : 0 }))
  }

  async function accept(): Promise<void> {
    const again = chance.happens(0.2) && events.length > 0 ? chance.pick(events) : undefined
    const isDirect = chance.happens(0.5)
    const destination = isDirect ? 'http://example.com/' : null
    const event: NewEvent = {
      tenantId,
      projectId,
      id: newId(),
      idempotencyKey: again?.idempotencyKey ?? newId(),
      destination,
      targetId: destination === null ? null : directTargetId(tenantId, destination),
      eventType: isDirect ? null : 'order.paid',
      payload: '{}',
      headers: null,
      maxAttempts: null,
      priority: 1 + chance.below(3),
      traceId: 'trace',
      delaySeconds: chance.happens(0.1) ? 5 : 0,
      endpointIds: !isDirect && chance.happens(0.2) ? endpoints.slice(0, 1) : undefined,
    }
    await both('accept', async (side) => {
      const [outcome] = await acceptEvents(side.pool, [event])
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
      const direct = { id, eventId: id, endpointId: null, lane: null, priority, tries: 0 }
      deliveries.push({ ...direct, targetId: targetId ?? '' })
    }
  }

  async function fan(): Promise<void> {
    if (typed.length === 0) return
    const eventId = chance.pick(typed)
    const inOrder = chance.happens(0.6)
    const made = new Map<string, Delivery[]>()
    const make = (id: string): Delivery[] => {
      const known = made.get(id)
      if (known !== undefined) return known
      const event = events.find((one) => one.id === id)
      const mine = endpoints.slice(0, 1 + chance.below(2)).map(
        (endpointId): Delivery => ({
          id: newId(),
          eventId: id,
          endpointId,
          targetId: endpointId,
          tries: 0,
          lane: inOrder ? chance.pick(['a', 'b']) : null,
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
    const limit = 1 + chance.below(3)
    const skipped = chance.below(4) === 0 ? chance.below(limit) : null
    // Now and then one of them was not planned: what is behind it waits.
    const fanOutOldest = async (pool: Pool) => {
      const oldest = await readOldestWaiting(pool, [{ tenantId, limit }])
      const planned = oldest.filter((_, at) => at !== skipped).map((one) => toOut(one.eventId))
      return (await fanOutInOrder(pool, tenantId, planned)).tokens
    }
    await both('fan out', async (side) => {
      const tokens = inOrder
        ? await fanOutOldest(side.pool)
        : await fanOut(side.pool, [toOut(eventId)])
      for (const [id, token] of tokens) learn(side, id, token)
      return tokens
    })
    deliveries.push(...[...made.values()].flat())
  }

  async function lease(
    what: string,
    act: (pool: Pool, held: { tenantId: string; id: string; token: number }[]) => Promise<unknown>,
  ): Promise<void> {
    const picked = pickDeliveries()
    await both(what, async (side) => {
      const held = picked.map(({ delivery: { id }, age }) => {
        return { tenantId, id, token: tokenOf(side, id, age) }
      })
      const answer = await act(side.pool, held)
      if (answer instanceof Map) for (const [id, token] of answer) learn(side, id, token as number)
      return answer
    })
  }

  async function record(): Promise<void> {
    const picked = pickDeliveries().map((one) => ({
      ...one,
      attemptId: newId(),
      number: one.delivery.tries + (chance.happens(0.15) ? 2 : 1),
      edition: chance.happens(0.15) ? 0 : (edits.get(one.delivery.eventId) ?? 0),
      next: chance.pick<AttemptRecord['next']>([
        { state: 'delivered' },
        { state: 'waiting', afterMs: 3_000 },
        { state: 'waiting', afterMs: 3_000 },
        { state: 'dead', reason: 'attempts used up' },
      ]),
    }))
    const [answer] = await both('record', async (side) => {
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
      if (delivery !== undefined) delivery.tries = attemptNumber
    }
  }

  async function cancel(): Promise<void> {
    const picked = pickDeliveries()
    const whole = chance.happens(0.3)
    await both('cancel', async (side) => {
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

  function keep(side: Side, backlog: hold.OwnedBacklog): void {
    learn(side, backlog.targetId, backlog.token)
    side.epochs.set(backlog.targetId, [...(side.epochs.get(backlog.targetId) ?? []), backlog])
  }

  async function park(): Promise<void> {
    const picked = pickDeliveries()
    await both('park', async (side) => {
      const rows = picked.map(({ delivery, age }): hold.DeliveryToPark => {
        const { id: deliveryId, eventId, targetId, endpointId, priority } = delivery
        const token = tokenOf(side, deliveryId, age)
        const seq = side.seqs.get(eventId) ?? 0
        return { tenantId, deliveryId, eventId, token, targetId, endpointId, priority, seq }
      })
      const held = await hold.parkDeliveries(side.pool, rows)
      for (const backlog of held) keep(side, backlog)
      return held
    })
  }

  /** One that was made or taken over, perhaps not the last. */
  function backlogOf(side: Side, target: number, age: number): hold.OwnedBacklog | undefined {
    const targets = [...side.epochs.values()]
    return targets[target % Math.max(1, targets.length)]?.at(-1 - age)
  }

  async function backlog(): Promise<void> {
    const [target, age, limit] = [chance.below(3), chance.happens(0.3) ? 1 : 0, 1 + chance.below(3)]
    const what = chance.pick(['take over', 'take', 'take', 'finish', 'finish', 'postpone'] as const)
    const many = chance.happens(0.5)
    await both(`backlog: ${what}`, async (side) => {
      const held = backlogOf(side, target, age)
      if (held === undefined) return null
      const { targetId, endpointId } = held
      if (what === 'take over') {
        const token = tokenOf(side, targetId, age)
        const due = { v: 1, kind: 'backlog', tenantId, targetId, endpointId, token } as const
        const taken = await hold.takeBacklog(side.pool, due)
        if (taken !== null) keep(side, taken)
        return taken
      }
      if (what === 'finish')
        return await hold.finishBacklog(side.pool, held, side.parks.get(targetId) ?? 0)
      if (what === 'postpone')
        return await hold.postponeBacklog(
          side.pool,
          { ...held, token: tokenOf(side, targetId, age) },
          5_000,
        )
      const others = [...side.epochs].filter(([id]) => many && id !== targetId)
      const takes = [held, ...others.flatMap(([, epochs]) => epochs.at(-1) ?? [])].map((one) => ({
        backlog: one,
        limit,
      }))
      const all = await hold.takeParkedOfMany(side.pool, takes)
      all.forEach((taken, at) => {
        const of = takes[at]?.backlog.targetId ?? ''
        if (taken.owned) side.parks.set(of, taken.parks)
        for (const { deliveryId, token } of taken.deliveries) learn(side, deliveryId, token)
      })
      return all
    })
  }

  async function sweep(): Promise<void> {
    const ms = chance.pick([0, 4_000, 11_000])
    for (const side of sides) {
      await side.pass(ms)
      for (const tokens of side.tokens.values())
        tokens.forEach((token, index) => (tokens[index] = token - ms * 1_000))
      for (const held of side.epochs.values()) for (const one of held) one.token -= ms * 1_000
    }
    await both('sweep', async (side) => {
      const swept = await sweepDue(side.pool, 100)
      for (const { deliveryId, token } of swept.deliveries) learn(side, deliveryId, token)
      for (const { targetId, token } of swept.backlogs) learn(side, targetId, token)
      // Both count real time, and one is asked after the other.
      return { ...swept, nextInMs: swept.nextInMs === null ? null : 'soon' }
    })
  }

  async function failToFanOut(): Promise<void> {
    const picked = [chance.pick(typed), chance.pick(events).id]
    const failures = [...new Set(picked)].flatMap((eventId) =>
      eventId === undefined ? [] : { tenantId, eventId, reason: 'refused' },
    )
    await both('fail to fan out', (side) => countFanOutFailures(side.pool, failures))
  }

  async function replay(): Promise<void> {
    const ids = [chance.pick(events).id]
    await both('replay', async (side) => {
      const replayed = await replayEvents(side.pool, tenantId, ids)
      for (const { deliveryId, token } of replayed.work) learn(side, deliveryId, token)
      return replayed
    })
  }

  async function edit(): Promise<void> {
    const { id } = chance.pick(events)
    const isReplayed = chance.happens(0.5)
    const [answer] = await both('edit', async (side) => {
      const edited = await editEvent(side.pool, tenantId, id, { payload: '{"n":1}' }, isReplayed)
      if (edited.outcome === 'edited')
        for (const { deliveryId, token } of edited.replayed?.work ?? [])
          learn(side, deliveryId, token)
      return edited
    })
    if ((answer as { outcome: string }).outcome === 'edited')
      edits.set(id, (edits.get(id) ?? 0) + 1)
  }

  async function repair(): Promise<void> {
    const targetId = chance.pick(deliveries).targetId
    const all = chance.happens(0.5)
    const holder = chance.pick(['a', 'b'])
    await both('wake', (side) => hold.wakeTarget(side.pool, tenantId, targetId, all))
    if (all && endpoints.includes(targetId))
      await both('follow', (side) => followMode(side.pool, { tenantId, endpointId: targetId }))
    await both('mend', async (side) => [
      await hold.repairBacklogs(side.pool),
      await repairLanes(side.pool),
      await acquireLeadership(side.pool, tenantId, holder, 60_000),
    ])
  }

  const operations: [number, () => Promise<void>][] = [
    [4, accept],
    [4, fan],
    [1, () => lease('renew', renewLeases)],
    [1, () => lease('begin', beginAttempts)],
    [1, () => lease('release', releaseLeases)],
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
  const drawn = operations.flatMap(([weight, operation]) =>
    Array.from({ length: weight }, () => operation),
  )
  for (let step = 0; step < STEPS && different.length === 0; step += 1) {
    const operation = deliveries.length === 0 ? chance.pick([accept, fan]) : chance.pick(drawn)
    await (events.length === 0 ? accept() : operation())
  }
  await both('rows', (side) => side.rows())
  return different
}

const OF_THEIR_OWN = ['token', 'seq', 'createdAt', 'configVersion']

/** Without what is each store's own, and in one order. */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return [...value].map(([id, token]) => `${id} ${token === null ? 'null' : 'token'}`).sort()
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) {
    const parts = value.map((one) => JSON.stringify(plain(one)))
    return parts.sort()
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OF_THEIR_OWN.includes(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, plain(one)]),
  )
}
