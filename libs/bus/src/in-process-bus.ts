/**
 * The bus inside one process, for `standalone`: values go from announcer to reader by reference, in
 * a microtask, without being serialised, so nobody may change a message after announcing it.
 * Nothing is parsed either: a value that is no object of a known version is reported as poison and
 * dropped, and the rest of a value is left to the compiler.
 *
 * What is queued is lost with the process, and what nobody reads is dropped at once: both are
 * announced again by their `due_at`.
 */
import { within } from '@posthorn/async/within'
import { bytesOfMessage, TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { Bus, BusEvents, ConsumerProgress, Reader, Received, BusSubscription } from './bus.ts'
import { type BatchQueue, createQueue } from '@posthorn/async/queue'
import { createReadWindow, type ReadWindow } from './read-window.ts'

export interface InProcessBusConfig {
  /** Messages waiting per topic and group. */
  maxQueued?: number
  /** Bytes that the messages of one topic and group take in memory. */
  maxQueuedBytes?: number
}

/** With the smallest messages, of 768 bytes, as much as `MAX_QUEUED_BYTES`. */
const MAX_QUEUED = 32_768
/**
 * 20,000 deliveries of 480 bytes, 3 s of 6,000 a second, or 750 with the largest payloads that
 * travel: 72 MiB if all three priorities were full. The sweep stops at half of it, which is what a
 * backlog keeps here. A limit on the number alone, 50,000, allowed 1.6 GB of large payloads.
 */
const MAX_QUEUED_BYTES = 24 * 1024 * 1024

interface Member {
  window: ReadWindow
  paused: boolean
  onMessages(messages: Received<unknown>[]): void
}

/**
 * One queue: a topic as one group sees it, or as one reader sees it where every reader gets all.
 */
interface Channel {
  topic: TopicName
  group: string
  queue: BatchQueue<QueuedMessage>
  /** Bytes of the messages that wait. */
  bytes: number
  members: Member[]
}

interface QueuedMessage {
  value: unknown
  bytes: number
}

interface Membership {
  pause(): void
  leave(): void
}

export function createInProcessBus(config: InProcessBusConfig, events: BusEvents): Bus {
  const { maxQueued = MAX_QUEUED, maxQueuedBytes = MAX_QUEUED_BYTES } = config
  const channels = createChannels()
  const pump = createPump((channel) => handOver(channel, events))
  let closed = false

  function join(topic: TopicName, subscription: BusSubscription<never>): Membership {
    const channel = channels.open(topic, subscription.group)
    const member: Member = {
      window: createReadWindow(subscription.maxInFlight, () => pump.schedule(channel)),
      paused: false,
      onMessages: (messages) => subscription.onMessages(topic as never, messages as never),
    }
    channel.members.push(member)
    return {
      pause() {
        member.paused = true
        // The group's other members may have capacity.
        pump.schedule(channel)
      },
      leave() {
        member.paused = true
        channel.members = channel.members.filter((each) => each !== member)
        if (channel.members.length === 0) channels.drop(channel)
        pump.schedule(channel)
      },
    }
  }

  return {
    announce(topic, messages) {
      if (closed) return 0
      const readers = channels.of(topic)
      const taken = enqueue(readers, messages, { maxQueued, maxQueuedBytes }, events)
      for (const channel of readers) pump.schedule(channel)
      return taken
    },
    waitMs: () => 0,
    batchingDelayMs: 0,
    writable: () =>
      !closed &&
      channels
        .all()
        .every(({ queue, bytes }) => queue.size() * 2 < maxQueued && bytes * 2 < maxQueuedBytes),
    async subscribe(subscription) {
      if (closed) throw new Error('the bus is closed: subscribe before closing it')
      return readerOf(subscription.topics.map((topic) => join(topic, subscription as never)))
    },
    check: async () => ({ ok: !closed, detail: closed ? 'closed' : 'in process' }),
    lag: () =>
      channels
        .all()
        .filter(({ topic }) => TOPICS[topic].delivery === 'group')
        .map(({ group, topic, queue }) => ({ group, topic, messages: queue.size() })),
    progress: () =>
      channels
        .all()
        .filter(({ topic }) => TOPICS[topic].delivery === 'group')
        .flatMap(progressOf),
    async close(timeoutMs) {
      closed = true
      await pump.until(() => channels.all().every(isDrained), timeoutMs)
      for (const channel of channels.all()) channels.drop(channel)
    },
  }
}

/** @returns how many messages, from the front, fitted into all of the topic's queues */
function enqueue(
  readers: readonly Channel[],
  messages: readonly unknown[],
  { maxQueued, maxQueuedBytes }: Required<InProcessBusConfig>,
  events: BusEvents,
): number {
  const capacity = Math.min(
    messages.length,
    ...readers.map(({ queue }) => maxQueued - queue.size()),
  )
  let bytesLeft = maxQueuedBytes - Math.max(0, ...readers.map(({ bytes }) => bytes))
  let taken = 0
  for (; taken < capacity && bytesLeft > 0; taken += 1) {
    const value = messages[taken]
    const isGood = !isPoison(value)
    const queued = { value, bytes: isGood ? bytesOfMessage(value as never) : 0 }
    bytesLeft -= queued.bytes
    for (const channel of readers) {
      if (isGood) put(channel, queued)
      else reportPoison(channel, value, events)
    }
  }
  return taken
}

function progressOf({ group, queue, members }: Channel): ConsumerProgress[] {
  const reading = members.filter((member) => !member.paused)
  if (reading.length === 0) return []
  const sum = (of: (window: ReadWindow) => number) =>
    reading.reduce((total, { window }) => total + of(window), 0)
  const waiting = queue.size() + sum((window) => window.inFlight())
  return [{ group, waiting, done: sum((window) => window.released()) }]
}

function put(channel: Channel, queued: QueuedMessage): void {
  channel.queue.push(queued)
  channel.bytes += queued.bytes
}

/** What the schema would refuse, found at the price of two comparisons for each message. */
function isPoison(value: unknown): boolean {
  return typeof value !== 'object' || (value as { v?: unknown } | null)?.v !== 1
}

function reportPoison({ topic, group }: Channel, value: unknown, { onPoison }: BusEvents) {
  const reason = `not a value of ${topic}: v: not a known version`
  onPoison({ group, topic, kind: 'no-value', reason, value: JSON.stringify(value) ?? '' })
}

function isDrained({ queue, members }: Channel): boolean {
  return queue.size() === 0 || members.every((member) => member.paused)
}

function createChannels() {
  const channels = new Map<TopicName, Channel[]>()
  const of = (topic: TopicName) => channels.get(topic) ?? []
  return {
    of,
    all: () => [...channels.values()].flat(),
    /** The group's channel, or a new one where each reader gets everything. */
    open(topic: TopicName, group: string): Channel {
      const shared = TOPICS[topic].delivery === 'group'
      const known = shared ? of(topic).find((channel) => channel.group === group) : undefined
      if (known) return known
      const channel: Channel = { topic, group, queue: createQueue(), bytes: 0, members: [] }
      channels.set(topic, [...of(topic), channel])
      return channel
    },
    drop(channel: Channel) {
      const left = of(channel.topic).filter((each) => each !== channel)
      channels.set(channel.topic, left)
    },
  }
}

/** Calls `handOverTo` for scheduled channels, once however often they were scheduled in a tick. */
function createPump(handOverTo: (channel: Channel) => void) {
  const waiting = new Set<Channel>()
  let pumping = false
  let soon = false
  let later = false
  let onPumped: (() => void) | undefined

  function run() {
    soon = false
    later = false
    pumping = true
    const round = [...waiting]
    waiting.clear()
    for (const channel of round) handOverTo(channel)
    pumping = false
    onPumped?.()
  }

  return {
    schedule(channel: Channel) {
      waiting.add(channel)
      // A microtask runs before any answer that is written afterwards. Scheduled from inside a
      // reader, microtasks would starve I/O.
      if (pumping) {
        if (!later) setImmediate(run)
        later = true
      } else {
        if (!soon) queueMicrotask(run)
        soon = true
      }
    },
    /** Resolves once `condition` holds after a round, or after `timeoutMs`. */
    async until(condition: () => boolean, timeoutMs: number) {
      if (condition()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onPumped = () => {
        if (condition()) resolve()
      }
      await within(timeoutMs, promise)
    },
  }
}

function readerOf(memberships: Membership[]): Reader {
  return {
    pause() {
      for (const each of memberships) each.pause()
    },
    async stop() {
      for (const each of memberships.splice(0)) each.leave()
    },
  }
}

/** Hands over what was queued at the start, in even shares to the members that have capacity. */
function handOver(channel: Channel, events: BusEvents) {
  const { queue, members, topic, group } = channel
  let left = queue.size()
  while (left > 0) {
    const open = members.filter((member) => !member.paused && member.window.capacity() > 0)
    if (open.length === 0) return
    const share = Math.ceil(left / open.length)
    for (const member of open) {
      const count = Math.min(share, left, member.window.capacity())
      if (count === 0) continue
      left -= count
      const taken = queue.take(count)
      const bytes = taken.reduce((sum, each) => sum + each.bytes, 0)
      channel.bytes -= bytes
      member.window.take(count, bytes)
      const messages = taken.map((queued) => receive(queued, member.window))
      events.onHandOver?.(topic, tenantOf(taken[0]?.value))
      try {
        member.onMessages(messages)
      } catch (error) {
        for (const message of messages) message.done()
        events.onError(error, `handing ${topic} to ${group}`)
      }
    }
  }
}

function tenantOf(value: unknown): string {
  return (value as { tenantId?: string } | undefined)?.tenantId ?? ''
}

function receive({ value, bytes }: QueuedMessage, window: ReadWindow): Received<unknown> {
  let open = true
  return {
    value,
    done() {
      if (!open) return
      open = false
      window.release(1, bytes)
    },
  }
}
