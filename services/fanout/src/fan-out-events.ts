/**
 * Fans out a batch of events: reads those that still wait, finds their endpoints under the tenant's present
 * configuration, leaves out those whose filters don't take them, writes their deliveries in one statement, and announces
 * them. Repeating it makes nothing twice.
 *
 * A tenant with a FIFO endpoint is locked meanwhile, and its events are taken in the order of their acceptance.
 */
import {
  type DeliveryDue,
  type DueDelivery,
  dueTopicOf,
  type EventAccepted,
  MAX_INLINE_FANOUT,
  MAX_INLINE_PAYLOAD_BYTES,
  type PollReady,
} from '@posthorn/contracts/topics'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { markWork } from '@posthorn/runtime/current-work'
import type { FannedOut, WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import { applyFilters } from './apply-filters.ts'
import type { Subscriptions } from './match-endpoints.ts'

export interface FanOutDeps {
  readWaiting(events: readonly EventAccepted[]): Promise<WaitingEvent[]>
  /** Of the event's tenant, under this version of its configuration or a later one. */
  subscriptionsOf(event: WaitingEvent): Promise<Subscriptions>
  /** Whether its events are fanned out in order, as far as is known: wrong for some seconds after a change. */
  hasLanes(tenantId: string): Promise<boolean>
  /** A promise when filters have held the event loop for long and others wait for it. */
  giveWay(): Promise<void> | undefined
  /** @returns the tokens of the deliveries that were made, null for one that is fetched by polls */
  fanOut(events: readonly FannedOut[]): Promise<Map<string, number | null>>
  /** As `fanOut`, for what `plan` makes of the tenant's oldest events, while nobody else fans out any of them. */
  fanOutInOrder(
    tenantId: string,
    limit: number,
    plan: (oldest: WaitingEvent[]) => Promise<FannedOut[]>,
  ): Promise<Map<string, number | null>>
  announce(topic: ReturnType<typeof dueTopicOf>, messages: readonly DeliveryDue[]): void
  announcePolls(messages: readonly PollReady[]): void
  log: Record<'info' | 'error', (name: string, fields: Record<string, unknown>) => void>
  count(events: number): void
}

/** Deliveries written in one statement, so that an event with very many endpoints does not make it too long. */
const MAX_DELIVERIES = 2_000
/** Each holds a connection and may need another, of eight: two leave enough for all. */
const MAX_TENANTS_AT_ONCE = 2

interface Plan {
  event: WaitingEvent
  out: FannedOut
  /** Endpoints whose filters did not take it. */
  filteredOut: number
}

export function createFanOutEvents(
  deps: FanOutDeps,
): (events: readonly EventAccepted[]) => Promise<void> {
  return async (accepted) => {
    // Of a backlog that has waited for longer than a lease, a batch has the same event twice and more often.
    const once = new Map(accepted.map((event) => [event.eventId, event]))
    const waiting = await deps.readWaiting([...once.values()])
    const subscriptions = await Promise.all(waiting.map((event) => deps.subscriptionsOf(event)))
    // One after another: filters that gave way all at once would take the event loop back all at once.
    const plans: Plan[] = []
    const inOrder = new Map<string, number>()
    for (const [index, event] of waiting.entries()) {
      const { tenantId } = event
      const own = subscriptions[index] as Subscriptions
      if (own.hasLanes) inOrder.set(tenantId, (inOrder.get(tenantId) ?? 0) + 1)
      else plans.push(await plan(event, own))
    }
    for (const [tenantId, messages] of spent(accepted, waiting)) {
      if (!(await deps.hasLanes(tenantId))) continue
      inOrder.set(tenantId, (inOrder.get(tenantId) ?? 0) + messages)
    }
    for (const batch of batches(plans)) {
      tell(batch, await deps.fanOut(batch.map(({ out }) => out)))
    }
    if (inOrder.size > 0) await inLanes(inOrder)
  }

  /** Several tenants at a time: each takes some five round trips, and may wait for another instance. */
  async function inLanes(owed: ReadonlyMap<string, number>): Promise<void> {
    const tenants = owed.entries()
    async function work(): Promise<void> {
      for (const [tenantId, events] of tenants) {
        await fanOutOldest(tenantId, events).catch((error: unknown) =>
          // They are announced again when their time comes, and hold up no other tenant's.
          deps.log.error('events.not-fanned-out', { tenantId, events, error }),
        )
      }
    }
    await Promise.all(Array.from({ length: MAX_TENANTS_AT_ONCE }, work))
  }

  /**
   * As many as messages came, but the oldest: a message says that there is an event more, not which is next. So all are
   * fanned out when all messages have come, in whatever order.
   */
  async function fanOutOldest(tenantId: string, owed: number): Promise<void> {
    for (let left = owed; left > 0; ) {
      let batch: Plan[] = []
      const tokens = await deps.fanOutInOrder(tenantId, left, async (oldest) => {
        batch = await planFirst(oldest)
        return batch.map(({ out }) => out)
      })
      if (batch.length === 0) return
      tell(batch, tokens)
      left -= batch.length
    }
  }

  /** As many as one statement takes. */
  async function planFirst(events: readonly WaitingEvent[]): Promise<Plan[]> {
    const plans: Plan[] = []
    let deliveries = 0
    for (const event of events) {
      const one = await plan(event, await deps.subscriptionsOf(event))
      deliveries += one.out.deliveries.length
      if (plans.length > 0 && deliveries > MAX_DELIVERIES) break
      plans.push(one)
    }
    return plans
  }

  async function plan(event: WaitingEvent, subscriptions: Subscriptions): Promise<Plan> {
    const { tenantId, id: eventId } = event
    markWork('event.accepted', tenantId, event.traceId)
    const candidates =
      event.endpointIds === null
        ? subscriptions.find(event.projectId, event.eventType)
        : subscriptions.named(event.endpointIds)
    const endpointIds = await applyFilters(candidates, event.payload, {
      giveWay: deps.giveWay,
      onFault: (fault) => deps.log.error('filter.failed', { tenantId, eventId, ...fault }),
    })
    const payload = lazily(() => JSON.parse(event.payload) as unknown)
    const deliveries = endpointIds.map((endpointId) => ({
      deliveryId: newId(),
      endpointId,
      lane: candidates.lanes?.get(endpointId)?.(payload) ?? null,
    }))
    const filteredOut = candidates.endpointIds.length - endpointIds.length
    return { event, out: { tenantId, eventId, deliveries }, filteredOut }
  }

  function tell(batch: readonly Plan[], tokens: Map<string, number | null>): void {
    const messages = batch.flatMap(({ event, out }) => toMessages(event, out, tokens))
    for (const [topic, group] of Map.groupBy(messages, dueTopicOf)) deps.announce(topic, group)
    const polls = toPolls(batch, tokens)
    if (polls.length > 0) deps.announcePolls(polls)
    for (const { event, out, filteredOut } of batch) {
      deps.log.info('event.fanned-out', {
        tenantId: event.tenantId,
        eventId: event.id,
        eventType: event.eventType,
        deliveries: out.deliveries.length,
        filteredOut,
        traceId: event.traceId,
        ageMs: Date.now() - timeOfId(event.id),
      })
    }
    deps.count(batch.length)
  }
}

/**
 * Messages by tenant whose own event waits no more. In a tenant with lanes another message may have been spent on it,
 * whose event still waits: left uncounted, the last of them would wait for the end of its lease.
 */
function spent(
  accepted: readonly EventAccepted[],
  waiting: readonly WaitingEvent[],
): Map<string, number> {
  const byTenant = new Map<string, number>()
  if (accepted.length === waiting.length) return byTenant
  const still = new Set(waiting.map(({ id }) => id))
  for (const { tenantId, eventId } of accepted)
    if (!still.has(eventId)) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1)
  return byTenant
}

function* batches(plans: readonly Plan[]): Generator<Plan[]> {
  let batch: Plan[] = []
  let deliveries = 0
  for (const one of plans) {
    const more = one.out.deliveries.length
    if (batch.length > 0 && deliveries + more > MAX_DELIVERIES) {
      yield batch
      batch = []
      deliveries = 0
    }
    batch.push(one)
    deliveries += more
  }
  if (batch.length > 0) yield batch
}

/** One an endpoint, however many of the batch's events wait for its polls. */
function toPolls(batch: readonly Plan[], tokens: Map<string, number | null>): PollReady[] {
  const ready = new Map<string, PollReady>()
  for (const { out } of batch) {
    for (const { deliveryId, endpointId } of out.deliveries) {
      if (tokens.get(deliveryId) !== null) continue
      ready.set(endpointId, { v: 1, tenantId: out.tenantId, endpointId })
    }
  }
  return [...ready.values()]
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** A delivery without a token waits for a poll or behind another, or was made by somebody else, who announces it. */
function toMessages(
  event: WaitingEvent,
  out: FannedOut,
  tokens: Map<string, number | null>,
): DueDelivery[] {
  const inline =
    out.deliveries.length <= MAX_INLINE_FANOUT &&
    Buffer.byteLength(event.payload) <= MAX_INLINE_PAYLOAD_BYTES
  const headers =
    event.headers === null ? null : (JSON.parse(event.headers) as Record<string, string>)
  const messages: DueDelivery[] = []
  for (const { deliveryId, endpointId, lane } of out.deliveries) {
    const token = tokens.get(deliveryId)
    if (token === undefined || token === null) continue
    messages.push({
      v: 1,
      kind: 'delivery',
      token,
      tenantId: event.tenantId,
      projectId: event.projectId,
      eventId: event.id,
      deliveryId,
      endpointId,
      lane: lane ?? null,
      destination: null,
      eventType: event.eventType,
      payload: inline ? event.payload : null,
      headers,
      priority: event.priority,
      seq: event.seq,
      tries: 0,
      triesBefore: 0,
      maxAttempts: event.maxAttempts,
      traceId: event.traceId,
      createdAt: timeOfId(event.id),
    })
  }
  return messages
}
