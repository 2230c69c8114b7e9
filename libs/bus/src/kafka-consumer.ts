/**
 * One life of a kafkajs consumer, from joining its group to the first failure: it never restarts itself, because
 * kafkajs's own restarts end in a consumer that lives on and reads nothing. Whoever owns it starts the next life.
 */
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { KAFKA_RETRY, type KafkaConfig, openKafka } from './kafka-client.ts'
import { createKafkaCommits, type Finisher, type KafkaCommits } from './kafka-commits.ts'
import { abandonMember } from './kafka-member-fix.ts'

export interface ConsumerConfig {
  kafka: KafkaConfig
  /** As the broker knows them. */
  groupId: string
  topics: readonly string[]
  fromBeginning: boolean
  /** False for a group that nobody ever continues. */
  commits: boolean
}

export interface ConsumerDeps {
  /** Takes messages of one partition from the front; returns how many. Must return at once. */
  onBatch(topic: string, messages: readonly KafkaMessage[], finishers: Finisher): number
  /** Whether a topic has no room just now: asked after joining, as pauses do not outlive a life. */
  isPaused(topic: string): boolean
  onError(error: unknown, doing: string): void
}

export interface KafkaConsumer {
  /** Resolves when the first fetch came back: only then is it settled from where `latest` counts. */
  begun: Promise<void>
  /** Resolves with the reason when this life is over for any reason but `stop`. */
  ended: Promise<unknown>
  /** Whether the broker was heard in this life. */
  progressed(): boolean
  pause(topics: readonly string[]): void
  resume(topics: readonly string[]): void
  /** Leaves its place in the group to the next life. */
  abandon(): void
  stop(): Promise<void>
}

/**
 * Ends before the lease of 10 s does twice: a killed instance's partitions go to the others while the scheduler
 * announces again. `onBatch` returns at once, so heartbeats wait for nothing but the event loop.
 */
const SESSION_TIMEOUT_MS = 10_000
/** How soon a member learns of a rebalance; one small request a second. */
const HEARTBEAT_MS = 1_000
const REBALANCE_TIMEOUT_MS = 60_000
/** How late a resume is noticed at worst; a fetch that finds something returns at once. */
const FETCH_WAIT_MS = 100
/** About 130 messages of 500 bytes from each partition: what does not fit into the window is fetched again. */
const FETCH_BYTES_PER_PARTITION = 64 * 1024
/** A rebalance may rightly take its whole timeout; half as much again without any sign means it hangs. */
const STALLED_AFTER_MS = 90_000
const LOOK_EVERY_MS = 10_000
const STOP_TIMEOUT_MS = 5_000

export function startKafkaConsumer(config: ConsumerConfig, deps: ConsumerDeps): KafkaConsumer {
  const consumer = openConsumer(config)
  const commits = config.commits ? createKafkaCommits(deps.onError) : undefined
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  let memberId: string | undefined
  let progressed = false
  let stopping = false

  const watchdog = createWatchdog(() => {
    ended.resolve(new Error(`${config.groupId} gave no sign for ${STALLED_AFTER_MS} ms`))
  })
  consumer.on('consumer.group_join', ({ payload }) => {
    watchdog.sign()
    memberId = payload.memberId
    // Another member may have had these partitions meanwhile: what was in work belongs to the past.
    commits?.forget()
    changeFlow(consumer, 'pause', config.topics.filter(deps.isPaused))
  })
  consumer.on('consumer.fetch', () => {
    watchdog.sign()
    if (memberId !== undefined) begun.resolve()
  })
  consumer.on('consumer.heartbeat', () => {
    progressed = true
  })
  consumer.on('consumer.crash', ({ payload }) => ended.resolve(payload.error))

  async function eachBatch(payload: EachBatchPayload) {
    const { batch, resolveOffset, isStale } = payload
    if (stopping || isStale()) return
    progressed = true
    const finish = commits?.track(payload) ?? (() => () => undefined)
    const taken = deps.onBatch(batch.topic, batch.messages, finish)
    const last = batch.messages[taken - 1]
    if (last) resolveOffset(last.offset)
  }

  async function run() {
    await consumer.connect()
    await consumer.subscribe({ topics: [...config.topics], fromBeginning: config.fromBeginning })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
  }
  run().catch(ended.resolve)

  return {
    begun: begun.promise,
    ended: ended.promise,
    progressed: () => progressed,
    pause: (topics) => changeFlow(consumer, 'pause', topics),
    resume: (topics) => changeFlow(consumer, 'resume', topics),
    abandon() {
      if (memberId) abandonMember(config.groupId, memberId)
    },
    async stop() {
      stopping = true
      watchdog.stop()
      await within(STOP_TIMEOUT_MS, leave(consumer, commits))
    },
  }
}

function openConsumer(config: ConsumerConfig): Consumer {
  return openKafka(config.kafka).consumer({
    groupId: config.groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    retry: { ...KAFKA_RETRY, restartOnFailure: async () => false },
  })
}

/** Both may fail when the broker is away; what was not committed is then read again. */
async function leave(consumer: Consumer, commits: KafkaCommits | undefined): Promise<void> {
  await commits?.stop()
  await consumer.disconnect().catch(() => undefined)
}

function createWatchdog(onStalled: () => void) {
  let lastSignAt = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - lastSignAt >= STALLED_AFTER_MS) onStalled()
  }, LOOK_EVERY_MS)
  return {
    sign() {
      lastSignAt = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}

/** Between two lives there is nothing to pause; the next join asks for what is. */
function changeFlow(consumer: Consumer, verb: 'pause' | 'resume', topics: readonly string[]) {
  if (topics.length === 0) return
  try {
    consumer[verb](topics.map((topic) => ({ topic })))
  } catch {
    // kafkajs throws when the consumer is not running, and offers no way to ask.
  }
}

async function within(timeoutMs: number, work: Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
