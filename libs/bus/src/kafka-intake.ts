/**
 * What happens to a batch from Kafka: parsed, counted into its topic's window and handed to the subscriber at once, so
 * that the partition never waits for the work itself.
 *
 * A message that cannot be parsed goes to the group's dead-letter topic and counts as done; that copy is as volatile as
 * any announcement, so `onPoison` is told as well.
 */
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { KafkaMessage } from 'kafkajs'
import type { BusEvents, Received, Subscription } from './bus.ts'
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
}

export interface IntakeDeps {
  events: BusEvents
  enqueue(message: OutgoingMessage): boolean
  onFull(topic: string): void
  onRoom(topic: string): void
}

interface Source {
  topic: TopicName
  window: ReadWindow
}

export function createKafkaIntake(
  subscription: Subscription<TopicName>,
  names: KafkaNames,
  deps: IntakeDeps,
): KafkaIntake {
  const { group } = subscription
  const sources = new Map<string, Source>()
  for (const topic of subscription.topics) {
    const wire = names.topic(topic)
    const window = createReadWindow(subscription.maxInFlight, () => deps.onRoom(wire))
    sources.set(wire, { topic, window })
  }

  function handOver(topic: TopicName, received: Received<unknown>[]) {
    try {
      subscription.onMessages(topic, received as Received<never>[])
    } catch (error) {
      for (const message of received) message.done()
      deps.events.onError(error, `handing ${topic} to ${group}`)
    }
  }

  function bury(wire: string, message: KafkaMessage, reason: string, done: () => void) {
    const value = message.value ?? Buffer.alloc(0)
    deps.events.onPoison({ group, topic: wire, reason, value: value.toString() })
    const headers = { topic: wire, offset: message.offset, reason }
    const topic = names.deadLetter(group)
    const queued = deps.enqueue({ topic, key: message.key, value, headers, onSettled: done })
    if (!queued) done()
  }

  return {
    topics: [...sources.keys()],
    isFull: (wire) => sources.get(wire)?.window.room() === 0,
    take(wire, messages, finish) {
      const source = sources.get(wire)
      if (!source) return 0
      const { topic, window } = source
      const count = Math.min(messages.length, window.room())
      const received: Received<unknown>[] = []
      for (const [index, message] of messages.slice(0, count).entries()) {
        const done = finish(index)
        const parsed = parse(topic, message)
        if ('value' in parsed) received.push(receive(parsed.value, window, done))
        else bury(wire, message, parsed.reason, done)
      }
      window.take(received.length)
      if (window.room() === 0) deps.onFull(wire)
      if (received.length > 0) handOver(topic, received)
      return count
    },
  }
}

function receive(value: unknown, window: ReadWindow, finish: () => void): Received<unknown> {
  let open = true
  return {
    value,
    done() {
      if (!open) return
      open = false
      finish()
      window.release(1)
    },
  }
}

/** Enough to name the field and what is wrong with it; the value itself stands beside it. */
const MAX_REASON_CHARS = 500

function parse(topic: TopicName, message: KafkaMessage): { value: unknown } | { reason: string } {
  if (!message.value) return { reason: 'the message has no value' }
  try {
    const read = TOPICS[topic].schema.safeParse(JSON.parse(message.value.toString()))
    if (read.success) return { value: read.data }
    const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return { reason: `not a value of ${topic}: ${faults.join('; ')}`.slice(0, MAX_REASON_CHARS) }
  } catch (error) {
    return { reason: `not JSON: ${String(error)}`.slice(0, MAX_REASON_CHARS) }
  }
}
