/**
 * The bus over Kafka. Announcing and reading each bridge an outage of the broker by themselves;
 * meanwhile announcements queue up to a bound and `writable` is false.
 *
 * The broker need not answer when the bus is made: `announce` works at once, and `subscribe` waits
 * for the broker.
 */
import { within } from '@posthorn/async/within'
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { Bus, BusEvents, Reader, BusSubscription } from './bus.ts'
import { createKafkaAdmin, type KafkaConfig } from './kafka-client.ts'
import { createLagSampler } from './kafka-lag.ts'
import { createKafkaProducer, type KafkaProducer } from './kafka-producer.ts'
import { BATCHING_DELAY_MS } from './send-throttle.ts'
import { createKafkaReader, type KafkaReader } from './kafka-reader.ts'
import { createKafkaSockets } from './kafka-sockets.ts'
import { ensureTopics, kafkaNames } from './kafka-topics.ts'

export interface KafkaBusConfig extends KafkaConfig {
  /** How often `lag` is measured; every 10 s by default. */
  sampleLagEveryMs?: number
}

/** For `/health`, which must answer while the broker is frozen. */
const CHECK_TIMEOUT_MS = 2_000

export async function createKafkaBus(given: KafkaBusConfig, events: BusEvents): Promise<Bus> {
  const sockets = given.sockets ?? createKafkaSockets()
  const config = { ...given, sockets }
  const names = kafkaNames(config.topicPrefix)
  const admin = createKafkaAdmin(config)
  const groups = new Map<string, Set<TopicName>>()
  const readers = new Set<KafkaReader>()
  const probe = () => ensureTopics(config, admin, groups.keys())
  const producer = createKafkaProducer(config, { probe, onError: events.onError })
  const lag = createLagSampler(admin, names, () => groups, config.sampleLagEveryMs)
  await producer.attempted

  function startReader(subscription: BusSubscription<TopicName>, delivery: 'group' | 'every') {
    const topics = subscription.topics.filter((topic) => TOPICS[topic].delivery === delivery)
    if (topics.length === 0) return []
    const known = groups.get(subscription.group) ?? new Set()
    groups.set(subscription.group, known)
    if (delivery === 'group') {
      // kafkajs assigns the partitions of its group leader's topics alone: a topic that only other
      // members read would go unread.
      const other = [...known].some((topic) => !topics.includes(topic))
      if (other)
        throw new Error(
          `${subscription.group} reads other topics already: subscribe to all in one call`,
        )
      for (const topic of topics) known.add(topic)
    }
    const deps = { events, probe, enqueue: producer.enqueue }
    return [createKafkaReader(config, { ...subscription, topics, delivery }, deps)]
  }

  return {
    announce: (topic, messages) => announce(producer, names.topic(topic), topic, messages, events),
    writable: producer.writable,
    waitMs: producer.waitMs,
    batchingDelayMs: BATCHING_DELAY_MS,
    async subscribe(subscription) {
      const wide = subscription as unknown as BusSubscription<TopicName>
      const started = [...startReader(wide, 'group'), ...startReader(wide, 'every')]
      for (const reader of started) readers.add(reader)
      await Promise.all(started.map((reader) => reader.begun))
      return joinReaders(started, (reader) => readers.delete(reader))
    },
    async check() {
      try {
        const cluster = admin.use((client) => client.describeCluster())
        const { brokers } = await within(CHECK_TIMEOUT_MS, cluster, () => {
          throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)
        })
        return { ok: true, detail: `${brokers.length} broker(s)` }
      } catch (error) {
        return { ok: false, detail: `Kafka does not answer: ${String(error)}` }
      }
    },
    lag: lag.current,
    progress: () => [...readers].flatMap((reader) => reader.progress(lag.unread) ?? []),
    async close(timeoutMs) {
      lag.stop()
      await Promise.all([...readers].map((reader) => reader.stop()))
      await producer.close(timeoutMs)
      await admin.close()
      sockets.close()
    },
  }
}

function announce(
  producer: KafkaProducer,
  wire: string,
  topic: TopicName,
  messages: readonly unknown[],
  events: BusEvents,
): number {
  const keyOf = TOPICS[topic].key as (value: unknown) => string | null
  const { isBulk } = TOPICS[topic]
  for (const [index, message] of messages.entries()) {
    try {
      const value = Buffer.from(JSON.stringify(message))
      const of = keyOf(message)
      const key = of === null ? null : Buffer.from(of)
      if (!producer.enqueue({ topic: wire, key, value, isBulk })) return index
    } catch (error) {
      events.onError(error, `announcing on ${topic}: the message is no JSON and was left out`)
    }
  }
  return messages.length
}

function joinReaders(readers: KafkaReader[], onStopped: (reader: KafkaReader) => void): Reader {
  return {
    pause() {
      for (const reader of readers) reader.pause()
    },
    async stop() {
      await Promise.all(readers.map((reader) => reader.stop()))
      for (const reader of readers) onStopped(reader)
    },
  }
}
