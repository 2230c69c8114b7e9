/**
 * What happens to a batch from Kafka: parsed, counted into its topic's window and handed to the subscriber at once, so
 * that the partition never waits for the work itself.
 *
 * A message that cannot be parsed goes to the group's dead-letter topic and counts as done; that copy is as volatile as
 * any announcement, so `onPoison` is told as well.
 */
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { KafkaMessage } from 'kafkajs'
import type { BusEvents, Poison, Received, Subscription } from './bus.ts'
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
  /** Done since the beginning, what could not be parsed included. */
  done(): number
}

export interface IntakeDeps {
  events: BusEvents
  enqueue(message: OutgoingMessage): boolean
  onFull(topic: string): void
  onCapacity(topic: string): void
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
  let buried = 0
  for (const topic of subscription.topics) {
    const wire = names.topic(topic)
    const window = createReadWindow(subscription.maxInFlight, () => deps.onCapacity(wire))
    sources.set(wire, { topic, window })
  }

  function sum(of: (window: ReadWindow) => number): number {
    return [...sources.values()].reduce((total, { window }) => total + of(window), 0)
  }

  function handOver(topic: TopicName, received: Received<unknown>[]) {
    deps.events.onHandOver?.(topic, tenantOf(received[0]?.value))
    try {
      subscription.onMessages(topic, received as Received<never>[])
    } catch (error) {
      for (const message of received) message.done()
      deps.events.onError(error, `handing ${topic} to ${group}`)
    }
  }

  function bury(
    source: Source,
    wire: string,
    message: KafkaMessage,
    fault: Fault,
    done: () => void,
  ) {
    const value = message.value ?? Buffer.alloc(0)
    deps.events.onPoison({ group, topic: source.topic, ...fault, value: value.toString() })
    buried += 1
    const headers = { topic: wire, offset: message.offset, reason: fault.reason }
    const deadLetter = names.deadLetter(group)
    const letter = { topic: deadLetter, key: message.key, value, headers, onSettled: done }
    const queued = deps.enqueue(letter)
    if (!queued) done()
  }

  return {
    topics: [...sources.keys()],
    isFull: (wire) => sources.get(wire)?.window.capacity() === 0,
    inFlight: () => sum((window) => window.inFlight()),
    done: () => buried + sum((window) => window.released()),
    take(wire, messages, finish) {
      const source = sources.get(wire)
      if (!source) return 0
      const { topic, window } = source
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
        } else bury(source, wire, message, parsed, done)
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

/** Enough to name the field and what is wrong with it; the value itself stands beside it. */
const MAX_REASON_CHARS = 500

type Fault = Pick<Poison, 'kind' | 'reason'>

function parse(topic: TopicName, message: KafkaMessage): { value: unknown } | Fault {
  if (!message.value) return { kind: 'empty', reason: 'the message has no value' }
  try {
    const read = TOPICS[topic].schema.safeParse(JSON.parse(message.value.toString()))
    if (read.success) return { value: read.data }
    const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    const reason = `not a value of ${topic}: ${faults.join('; ')}`
    return { kind: 'no-value', reason: reason.slice(0, MAX_REASON_CHARS) }
  } catch (error) {
    return { kind: 'no-json', reason: `not JSON: ${String(error)}`.slice(0, MAX_REASON_CHARS) }
  }
}
