/**
 * Takes a batch from Kafka: parses it, counts it into its topic's window and hands it to the
 * subscriber at once, so that the partition never waits for the work itself.
 *
 * A message that cannot be parsed goes to the group's dead-letter topic and counts as done. That
 * copy can be lost like any announcement, so `onPoison` is told as well.
 */
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { KafkaMessage } from 'kafkajs'
import type { BusEvents, Poison, Received, BusSubscription } from './bus.ts'
import type { Finisher } from './kafka-commits.ts'
import type { OutgoingMessage } from './kafka-outbox.ts'
import type { KafkaNames } from './kafka-topics.ts'
import { createReadWindow, type ReadWindow } from './read-window.ts'

export interface KafkaIntake {
  /** The broker's names of the topics. */
  topics: readonly string[]
  /** Takes messages from the front; returns how many. */
  take(topic: string, messages: readonly KafkaMessage[], finish: Finisher): number
  isFull(topic: string): boolean
  /** Handed over and not done. */
  inFlight(): number
  /** Done since the beginning, dead letters included. */
  done(): number
}

export interface KafkaIntakeDeps {
  events: BusEvents
  enqueue(message: OutgoingMessage): boolean
  onFull(topic: string): void
  onCapacity(topic: string): void
}

interface TopicIntake {
  topic: TopicName
  window: ReadWindow
}

export function createKafkaIntake(
  subscription: BusSubscription<TopicName>,
  names: KafkaNames,
  deps: KafkaIntakeDeps,
): KafkaIntake {
  const { group } = subscription
  const intakes = new Map<string, TopicIntake>()
  let notHandedOver = 0
  for (const topic of subscription.topics) {
    const wire = names.topic(topic)
    const window = createReadWindow(subscription.maxInFlight, () => deps.onCapacity(wire))
    intakes.set(wire, { topic, window })
  }

  const sum = (of: (window: ReadWindow) => number): number =>
    [...intakes.values()].reduce((total, { window }) => total + of(window), 0)

  function handOver(topic: TopicName, received: Received<unknown>[]) {
    deps.events.onHandOver?.(topic, tenantOf(received[0]?.value))
    try {
      subscription.onMessages(topic, received as Received<never>[])
    } catch (error) {
      for (const message of received) message.done()
      deps.events.onError(error, `handing ${topic} to ${group}`)
    }
  }

  function deadLetter(
    intake: TopicIntake,
    wire: string,
    message: KafkaMessage,
    poison: PoisonReason,
    done: () => void,
  ) {
    const value = message.value ?? Buffer.alloc(0)
    deps.events.onPoison({ group, topic: intake.topic, ...poison, value: value.toString() })
    const headers = { topic: wire, offset: message.offset, reason: poison.reason }
    const topic = names.deadLetter(group)
    if (!deps.enqueue({ topic, key: message.key, value, headers, onSettled: done })) done()
  }

  return {
    topics: [...intakes.keys()],
    isFull: (wire) => intakes.get(wire)?.window.capacity() === 0,
    inFlight: () => sum((window) => window.inFlight()),
    done: () => notHandedOver + sum((window) => window.released()),
    take(wire, messages, finish) {
      const intake = intakes.get(wire)
      if (!intake) return 0
      const { topic, window } = intake
      deps.events.onHandOver?.(topic, '')
      const count = Math.min(messages.length, window.capacity())
      const received: Received<unknown>[] = []
      let bytes = 0
      for (const [index, message] of messages.slice(0, count).entries()) {
        const done = finish(index)
        const parsed = parse(topic, message)
        if ('value' in parsed) {
          const own = message.value?.length ?? 0
          bytes += own
          received.push(receive(parsed.value, own, window, done))
        } else {
          notHandedOver += 1
          if ('reason' in parsed) deadLetter(intake, wire, message, parsed, done)
          else done()
        }
      }
      window.take(received.length, bytes)
      if (window.capacity() === 0) deps.onFull(wire)
      if (received.length > 0) handOver(topic, received)
      return count
    },
  }
}

function tenantOf(value: unknown): string {
  return (value as { tenantId?: string } | undefined)?.tenantId ?? ''
}

function receive(
  value: unknown,
  bytes: number,
  window: ReadWindow,
  finish: () => void,
): Received<unknown> {
  let open = true
  return {
    value,
    done() {
      if (!open) return
      open = false
      finish()
      window.release(1, bytes)
    },
  }
}

/** Enough to name the field and what is wrong with it; the log has the value itself beside it. */
const MAX_REASON_CHARS = 500

type PoisonReason = Pick<Poison, 'kind' | 'reason'>

/** `skip`: it is work of a kind that only a later version knows. */
type ParsedMessage = { value: unknown } | PoisonReason | { skip: true }

function parse(topic: TopicName, message: KafkaMessage): ParsedMessage {
  if (!message.value) return { kind: 'empty', reason: 'the message has no value' }
  try {
    const { schema, isOfLaterKind } = TOPICS[topic]
    const given: unknown = JSON.parse(message.value.toString())
    const read = schema.safeParse(given)
    if (read.success) return { value: read.data }
    if (isOfLaterKind?.(given) === true) return { skip: true }
    const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    const reason = `not a value of ${topic}: ${problems.join('; ')}`
    return { kind: 'no-value', reason: reason.slice(0, MAX_REASON_CHARS) }
  } catch (error) {
    return { kind: 'no-json', reason: `not JSON: ${String(error)}`.slice(0, MAX_REASON_CHARS) }
  }
}
