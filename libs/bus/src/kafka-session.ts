/**
 * One life of a kafkajs consumer, from joining its group to the first failure: it never restarts itself, because
 * kafkajs's own restarts end in a consumer that lives on and reads nothing. Whoever owns it starts the next life.
 */
import './kafka-fetch-fix.ts'
import { within } from '@posthorn/async/within'
import {
  type Consumer,
  type EachBatchPayload,
  type KafkaMessage,
  PartitionAssigners,
} from 'kafkajs'
import { KAFKA_RETRY, type KafkaConfig, openKafka } from './kafka-client.ts'
import { createKafkaCommits, type Finisher, type KafkaCommits } from './kafka-commits.ts'
import { abandonMember, beforeEachJoin } from './kafka-member-fix.ts'
import { createKafkaSockets, type KafkaSockets } from './kafka-sockets.ts'

export interface ConsumerSessionConfig {
  kafka: KafkaConfig
  /** As the broker knows them. */
  groupId: string
  topics: readonly string[]
  fromBeginning: boolean
  /** False for a group that nobody ever continues. */
  commits: boolean
}

export interface ConsumerSessionDeps {
  /** Takes messages of one partition from the front; returns how many. Must return at once. */
  onBatch(topic: string, messages: readonly KafkaMessage[], finishers: Finisher): number
  /** Whether a topic has no room just now: asked after joining, as pauses do not outlive a life. */
  isPaused(topic: string): boolean
  onError(error: unknown, doing: string): void
}

export interface ConsumerSession {
  /** Resolves when the first fetch came back: only then is it settled from where `latest` counts. */
  begun: Promise<void>
  /** Resolves with the reason when this life is over for any reason but `stop`. */
  ended: Promise<unknown>
  /** What the group's leader dealt to this member, by topic; empty before it joined. */
  assigned(): Readonly<Record<string, readonly number[]>>
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
/**
 * How soon a member learns of a rebalance; one small request a second. Less than a fetch that finds nothing takes, so that
 * one goes with each of these.
 */
const HEARTBEAT_MS = 900
const REBALANCE_TIMEOUT_MS = 60_000
/**
 * A fetch that finds something returns at once. One that does not holds up a heartbeat, and so the news of a rebalance:
 * that is known after so long, where with 500 ms and a heartbeat a second it took up to 1.5 s.
 */
const FETCH_WAIT_MS = 1_000
/**
 * Of a group of one that nobody continues: no news of it is waited for, nor its end. What finds something still returns
 * at once. With the waits of the others, two fetches a second of each such reader, an idle broker used half as much again.
 */
const ALONE = { sessionTimeout: 30_000, heartbeatInterval: 5_000, maxWaitTimeInMs: 5_000 }
/** About 130 messages of 500 bytes from each partition: what does not fit into the window is fetched again. */
const FETCH_BYTES_PER_PARTITION = 64 * 1024
/** A rebalance may rightly take its whole timeout; half as much again without any sign means it hangs. */
const STALLED_AFTER_MS = 90_000
const LOOK_EVERY_MS = 10_000
const STOP_TIMEOUT_MS = 5_000
/** A commit takes milliseconds. Where the broker does not answer one, what was done is read twice. */
const LAST_COMMIT_TIMEOUT_MS = 2_000
/** As long as the others of a group take to hear that it is dealt out anew, and half a second for a busy machine. */
const JOIN_TIMEOUT_MS = HEARTBEAT_MS + FETCH_WAIT_MS + 500

export function startConsumerSession(
  config: ConsumerSessionConfig,
  deps: ConsumerSessionDeps,
): ConsumerSession {
  const own = config.commits ? undefined : createKafkaSockets()
  const { consumer, cluster } = openConsumer(config, own)
  const commits = config.commits ? createKafkaCommits(deps.onError) : undefined
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const reading = Promise.withResolvers<void>()
  let joined = false
  let assigned: Record<string, number[]> = {}
  let progressed = false
  let stopping = false

  const watchdog = createWatchdog(() => {
    ended.resolve(new Error(`${config.groupId} gave no sign for ${STALLED_AFTER_MS} ms`))
  })
  consumer.on('consumer.group_join', ({ payload }) => {
    watchdog.sign()
    joined = true
    assigned = payload.memberAssignment
    // Another member may have had these partitions meanwhile: what was in work belongs to the past.
    commits?.forget()
    changeFlow(consumer, 'pause', config.topics.filter(deps.isPaused))
  })
  if (commits) {
    beforeEachJoin(cluster(), () => within(LAST_COMMIT_TIMEOUT_MS, commits.commitNow()))
  }
  consumer.on('consumer.fetch', () => {
    watchdog.sign()
    if (joined) begun.resolve()
  })
  consumer.on('consumer.fetch_start', () => reading.resolve())
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
    assigned: () => assigned,
    progressed: () => progressed,
    pause: (topics) => changeFlow(consumer, 'pause', topics),
    resume: (topics) => changeFlow(consumer, 'resume', topics),
    abandon() {
      abandonMember(cluster())
    },
    async stop() {
      stopping = true
      watchdog.stop()
      // While it joins kafkajs can't leave: the group would count on it and wait for it until its session ends.
      const settled = Promise.race([reading.promise, ended.promise])
      if (commits) await within(JOIN_TIMEOUT_MS, settled)
      // Its last fetch may take long, and nobody needs what it finds.
      own?.close()
      await within(STOP_TIMEOUT_MS, leave(consumer, commits))
    },
  }
}

function openConsumer(
  config: ConsumerSessionConfig,
  sockets: KafkaSockets | undefined,
): { consumer: Consumer; cluster: () => object } {
  let own: object = {}
  const consumer = openKafka({ ...config.kafka, ...(sockets && { sockets }) }).consumer({
    groupId: config.groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    partitionAssigners: [
      (options) => {
        own = options.cluster
        return PartitionAssigners.roundRobin(options)
      },
    ],
    retry: { ...KAFKA_RETRY, restartOnFailure: async () => false },
    ...(!config.commits && ALONE),
  })
  return { consumer, cluster: () => own }
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
