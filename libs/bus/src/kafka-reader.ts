/**
 * Reads topics for one subscription, for as long as the process lives: it starts one consumer after another whenever
 * one fails, for ever while the broker does not answer, and gives up only where the broker answers and reading still
 * fails again and again.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { TopicName } from '@posthorn/contracts/topics'
import type { BusEvents, Reader, ConsumerProgress, Subscription } from './bus.ts'
import { type KafkaConfig, RETRY_AFTER_MS } from './kafka-client.ts'
import { type ConsumerSession, startConsumerSession } from './kafka-session.ts'
import { createKafkaIntake } from './kafka-intake.ts'
import type { OutgoingMessage } from './kafka-outbox.ts'
import { kafkaNames } from './kafka-topics.ts'

/** At most one a second, with the broker answering before each: time alone would not heal it. */
const MAX_RESTARTS = 10

interface ReaderDeps {
  events: BusEvents
  /** Resolves when the broker answers and has our topics. */
  probe(): Promise<void>
  enqueue(message: OutgoingMessage): boolean
}

/** Messages of a partition that the group has not committed, as far as it is known. */
export type UnreadOf = (group: string, wire: string, partition: number) => number

export interface KafkaReader extends Reader {
  /** Rejects when the reader is stopped before it ever read. */
  begun: Promise<void>
  /** null: it is not to read, or it reads what goes to every instance. */
  progress(unread: UnreadOf): ConsumerProgress | null
}

export function createKafkaReader(
  config: KafkaConfig,
  subscription: Subscription<TopicName> & { delivery: 'group' | 'every' },
  deps: ReaderDeps,
): KafkaReader {
  const { group, delivery } = subscription
  const names = kafkaNames(config.topicPrefix)
  const begun = Promise.withResolvers<void>()
  const stopped = new AbortController()
  const stopping = new Promise<void>((resolve) => {
    stopped.signal.addEventListener('abort', () => resolve())
  })
  const burials = new Set<Promise<void>>()
  let life: ConsumerSession | undefined
  let paused = false

  const intake = createKafkaIntake(subscription, names, {
    events: deps.events,
    enqueue: deps.enqueue,
    onFull: (topic) => life?.pause([topic]),
    onCapacity: (topic) => {
      if (!paused) life?.resume([topic])
    },
  })

  function startLife(): ConsumerSession {
    return startConsumerSession(
      {
        kafka: config,
        // Nobody continues what one instance has heard, so each life is a group of its own.
        groupId: names.group(delivery === 'group' ? group : `${group}.${randomUUID()}`),
        topics: intake.topics,
        fromBeginning: delivery === 'group',
        commits: delivery === 'group',
      },
      {
        onBatch: (topic, messages, finish) => (paused ? 0 : intake.take(topic, messages, finish)),
        isPaused: (topic) => paused || intake.isFull(topic),
        onError: (error, doing) => deps.events.onError(error, `${group}: ${doing}`),
      },
    )
  }

  async function liveOn() {
    let restarts = 0
    while (restarts <= MAX_RESTARTS && !stopped.signal.aborted) {
      if (await brokerAnswers()) {
        const reason = await liveOnce()
        if (stopped.signal.aborted) return
        deps.events.onError(reason, `reading for ${group}; starting again`)
        restarts = life?.progressed() ? 0 : restarts + 1
        if (delivery === 'group') life?.abandon()
        if (life !== undefined) bury(life)
        life = undefined
        if (restarts > MAX_RESTARTS) deps.events.onFatal(reason)
      }
      await delay(RETRY_AFTER_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  async function liveOnce(): Promise<unknown> {
    if (stopped.signal.aborted) return undefined
    life = startLife()
    void life.begun.then(begun.resolve)
    return Promise.race([life.ended, stopping])
  }

  /** Not waited for by the next life: a broker that is away lets its end take seconds. */
  function bury(dead: ConsumerSession): void {
    const burial = dead.stop().finally(() => burials.delete(burial))
    burials.add(burial)
  }

  async function brokerAnswers(): Promise<boolean> {
    return deps.probe().then(
      () => true,
      () => false,
    )
  }

  void liveOn()
  // Whoever waits for it hears of a rejection; nobody has to.
  begun.promise.catch(() => undefined)

  return {
    begun: begun.promise,
    progress(unread) {
      if (paused || stopped.signal.aborted || delivery === 'every') return null
      let waiting = intake.inFlight()
      for (const [wire, partitions] of Object.entries(life?.assigned() ?? {})) {
        for (const partition of partitions) waiting += unread(group, wire, partition)
      }
      return { group, waiting, done: intake.done() }
    },
    pause() {
      paused = true
      life?.pause(intake.topics)
    },
    async stop() {
      stopped.abort()
      begun.reject(new Error(`reading for ${group} was stopped before it began`))
      const last = life
      life = undefined
      await Promise.all([last?.stop(), ...burials])
    },
  }
}
