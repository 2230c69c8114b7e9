/**
 * Announces deliveries that may go now, each on the topic of its priority; what belongs to a flood
 * goes on that priority's bulk topic. A dispatcher takes from the bulk topics what the others leave
 * over, and one message in ten while they leave nothing. So a delivery of somebody who sends little
 * never waits on the bus behind somebody else's hundred thousand.
 *
 * What is a flood is measured where it is announced, by the cell rate algorithm (GCRA) twice: for
 * the flow, which is what a tenant sends of one event type, or direct, at one priority; and for all
 * that a tenant sends outside of the bulk topics, so that splitting it into many flows gains
 * nothing. It is the sparse flow of fair queueing (RFC 8290). Each process measures for itself: a
 * wrong choice costs a delivery some milliseconds, never its order or the delivery itself.
 */
import {
  type DeliveryDue,
  type DueDelivery,
  dueTopicOf,
  type DueTopicName,
  priorityClass,
} from '@posthorn/contracts/topics'
import type { Bus } from './bus.ts'

/**
 * A second's worth may come at once. On two cores a dispatcher sends some 3,000 a second, so one
 * flow takes a sixth of that before it is a flood, and one tenant two thirds.
 */
const FLOW_PER_SECOND = 500
const TENANT_PER_SECOND = 2_000
const BURST_MS = 1_000
/**
 * What is over its rate stays so until this much of its burst is free again. One that sends twice
 * its rate then changes topics ten times a second instead of with every message: each batch to
 * Kafka had messages of it in both topics, and each topic in a batch costs the broker and its
 * readers some tenths of a millisecond. Of a flow 25 come at once then, and of a tenant 100, which
 * are 8 and 33 ms of a dispatcher.
 */
const FREE_AGAIN_MS = 50
/** Some 200 bytes each. Flows beyond this number are classified by their tenant's rate alone. */
const MAX_METERED = 10_000
/** To look through all of them takes 0.2 ms, so that it costs a fiftieth of a process at most. */
const FORGET_EVERY_MS = 10

export function createAnnounceDue(
  bus: Pick<Bus, 'announce'>,
  now: () => number = () => performance.now(),
): (messages: readonly DeliveryDue[]) => void {
  const flows = createRateMeter(FLOW_PER_SECOND)
  const tenants = createRateMeter(TENANT_PER_SECOND)

  function topicFor(message: DeliveryDue, at: number): DueTopicName {
    const topic = dueTopicOf(message)
    if (message.kind === 'backlog') return topic
    const isSparse = flows.conforms(flowOf(message), at) && tenants.conforms(message.tenantId, at)
    return isSparse ? topic : `${topic}.bulk`
  }

  return (messages) => {
    const at = now()
    const byTopic = Map.groupBy(messages, (message) => topicFor(message, at))
    for (const [topic, group] of byTopic) bus.announce(topic, group)
  }
}

function flowOf({ tenantId, priority, eventType, endpointId }: DueDelivery): string {
  const what = endpointId === null ? '' : (eventType ?? '')
  return `${tenantId} ${priorityClass(priority)} ${what}`
}

interface RateMeter {
  /** Whether one more is within the rate, which it then counts towards. */
  conforms(key: string, at: number): boolean
}

interface Metered {
  /** When everything that conformed so far would have come, had it come at an even rate. */
  paidUntil: number
  isOver: boolean
}

function createRateMeter(perSecond: number): RateMeter {
  const intervalMs = 1_000 / perSecond
  const metered = new Map<string, Metered>()
  let forgotAt = -Infinity

  function forgetIdle(at: number): void {
    if (at - forgotAt < FORGET_EVERY_MS) return
    forgotAt = at
    for (const [key, { paidUntil }] of metered) if (paidUntil <= at) metered.delete(key)
  }

  /** Undefined: there is no place for it. */
  function find(key: string, at: number): Metered | undefined {
    const known = metered.get(key)
    if (known !== undefined) return known
    if (metered.size >= MAX_METERED) {
      forgetIdle(at)
      if (metered.size >= MAX_METERED) return undefined
    }
    const made = { paidUntil: at, isOver: false }
    metered.set(key, made)
    return made
  }

  return {
    conforms(key, at) {
      const one = find(key, at)
      if (one === undefined) return true
      const usedMs = Math.max(one.paidUntil - at, 0)
      one.isOver = usedMs >= BURST_MS - (one.isOver ? FREE_AGAIN_MS : 0)
      if (!one.isOver) one.paidUntil = at + usedMs + intervalMs
      return !one.isOver
    },
  }
}
