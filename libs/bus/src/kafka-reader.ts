/**
 * Reads topics for one subscription, for as long as the process lives: it starts a new consumer
 * session whenever one fails, without end while the broker does not answer, and gives up only where
 * the broker answers and reading still fails again and again.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { BusEvents, Reader, ConsumerProgress, BusSubscription } from './bus.ts'
import { type KafkaConfig, RETRY_AFTER_MS } from './kafka-client.ts'
import { type ConsumerSession, startConsumerSession } from './kafka-session.ts'
import { createKafkaIntake } from './kafka-intake.ts'
import type { OutgoingMessage } from './kafka-outbox.ts'
import { kafkaNames } from './kafka-topics.ts'

/**
 * At most one restart a second, with the broker answering before each: time alone would not help.
 */
const MAX_RESTARTS = 10

interface ReaderDeps {
  events: BusEvents
  /** Resolves when the broker answers and has our topics. */
  probe(): Promise<void>
  enqueue(message: OutgoingMessage): boolean
}

/** Messages of a partition that the group has not committed, as far as that is known. */
export type UnreadOf = (group: string, wire: string, partition: number) => number

export interface KafkaReader extends Reader {
  /** Rejects when the reader is stopped before it ever read. */
  begun: Promise<void>
  /** null: it is paused or stopped, or reads topics that go to every instance. */
  progress(unread: UnreadOf): ConsumerProgress | null
}

export function createKafkaReader(
  config: KafkaConfig,
  subscription: BusSubscription<TopicName> & { delivery: 'group' | 'every' },
  deps: ReaderDeps,
): KafkaReader {
  const { group, delivery } = subscription
  const names = kafkaNames(config.topicPrefix)
  let paused = false

  const intake = createKafkaIntake(subscription, names, {
    events: deps.events,
    enqueue: deps.enqueue,
    onFull: (topic) => sessions.current()?.pause([topic]),
    onCapacity: (topic) => {
      if (!paused) sessions.current()?.resume([topic])
    },
  })
  const sessions = runSessions({
    start: () =>
      startConsumerSession(
        {
          kafka: config,
          // Nobody continues what one instance has heard, so each session is a group of its own.
          groupId: names.group(delivery === 'group' ? group : `${group}.${randomUUID()}`),
          topics: intake.topics,
          seldomWhileEmpty: subscription.topics
            .filter((one) => TOPICS[one].isFetchedSeldomWhileEmpty)
            .map(names.topic),
          fromBeginning: delivery === 'group',
          commits: delivery === 'group',
        },
        {
          onBatch: (topic, messages, finish) => (paused ? 0 : intake.take(topic, messages, finish)),
          isPaused: (topic) => paused || intake.isFull(topic),
          onError: (error, doing) => deps.events.onError(error, `${group}: ${doing}`),
        },
      ),
    keepsMembership: delivery === 'group',
    probe: deps.probe,
    onFailed: (reason) => deps.events.onError(reason, `reading for ${group}; starting again`),
    onFatal: (reason) => deps.events.onFatal(reason),
  })

  return {
    begun: sessions.begun,
    progress(unread) {
      if (paused || sessions.isStopped() || delivery === 'every') return null
      let waiting = intake.inFlight()
      for (const [wire, partitions] of Object.entries(sessions.current()?.assigned() ?? {})) {
        for (const partition of partitions) waiting += unread(group, wire, partition)
      }
      return { group, waiting, done: intake.done() }
    },
    pause() {
      paused = true
      sessions.current()?.pause(intake.topics)
    },
    stop: () => sessions.stop(`reading for ${group} was stopped before it began`),
  }
}

interface SessionsDeps {
  start(): ConsumerSession
  /** Whether the next session takes over the place in the group of one that failed. */
  keepsMembership: boolean
  probe(): Promise<void>
  onFailed(reason: unknown): void
  onFatal(reason: unknown): void
}

/** Runs one session after another until it is stopped, or until too many in a row have failed. */
function runSessions(deps: SessionsDeps) {
  const begun = Promise.withResolvers<void>()
  const stopped = new AbortController()
  const stopping = new Promise<void>((resolve) => {
    stopped.signal.addEventListener('abort', () => resolve())
  })
  /** Failed sessions that are still being closed. */
  const disposals = new Set<Promise<void>>()
  let current: ConsumerSession | undefined

  async function run() {
    let restarts = 0
    while (restarts <= MAX_RESTARTS && !stopped.signal.aborted) {
      if (await brokerAnswers()) {
        const reason = await runOne()
        if (stopped.signal.aborted) return
        deps.onFailed(reason)
        restarts = current?.progressed() ? 0 : restarts + 1
        if (deps.keepsMembership) current?.abandon()
        if (current !== undefined) dispose(current)
        current = undefined
        if (restarts > MAX_RESTARTS) deps.onFatal(reason)
      }
      await delay(RETRY_AFTER_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  async function runOne(): Promise<unknown> {
    if (stopped.signal.aborted) return undefined
    current = deps.start()
    void current.begun.then(begun.resolve)
    return Promise.race([current.ended, stopping])
  }

  /** The next session does not wait for it: while the broker is away it takes seconds to end. */
  function dispose(failed: ConsumerSession): void {
    const disposal = failed.stop().finally(() => disposals.delete(disposal))
    disposals.add(disposal)
  }

  async function brokerAnswers(): Promise<boolean> {
    return deps.probe().then(
      () => true,
      () => false,
    )
  }

  void run()
  // Whoever waits for it hears of a rejection; where nobody does, it must not end the process.
  begun.promise.catch(() => undefined)

  return {
    begun: begun.promise,
    current: () => current,
    isStopped: () => stopped.signal.aborted,
    async stop(reason: string) {
      stopped.abort()
      begun.reject(new Error(reason))
      const last = current
      current = undefined
      await Promise.all([last?.stop(), ...disposals])
    },
  }
}
