/**
 * One session of a kafkajs consumer, from joining its group to the first failure. It never restarts
 * itself, because kafkajs's own restarts end in a consumer that stays alive and reads nothing. Its
 * owner starts the next session.
 */
import { createTicker } from '@posthorn/async/ticker'
import { within } from '@posthorn/async/within'
import {
  type Consumer,
  type EachBatchPayload,
  type KafkaMessage,
  PartitionAssigners,
} from 'kafkajs'
import { KAFKA_RETRY, type KafkaConfig, openKafka } from './kafka-client.ts'
import { createKafkaCommits, type Finisher, type KafkaCommits } from './kafka-commits.ts'
import { fetchSeldomWhileEmpty } from './kafka-fetch-fix.ts'
import { abandonMember, beforeEachJoin } from './kafka-member-fix.ts'
import { createKafkaSockets, type KafkaSockets } from './kafka-sockets.ts'

export interface ConsumerSessionConfig {
  kafka: KafkaConfig
  /** Names on the broker. */
  groupId: string
  topics: readonly string[]
  /** Those of them that are left out of most fetches while they are empty. */
  seldomWhileEmpty: readonly string[]
  fromBeginning: boolean
  /** False for a group that nobody ever continues. */
  commits: boolean
}

export interface ConsumerSessionDeps {
  /** Takes messages of one partition from the front; returns how many. Must return at once. */
  onBatch(topic: string, messages: readonly KafkaMessage[], finishers: Finisher): number
  /**
   * Whether a topic has no capacity just now. It is asked after joining, as a pause does not
   * outlive a session.
   */
  isPaused(topic: string): boolean
  onError(error: unknown, doing: string): void
}

export interface ConsumerSession {
  /** Resolves when the first fetch came back: only then is it settled where `latest` begins. */
  begun: Promise<void>
  /** Resolves with the reason when this session is over, unless it was stopped. */
  ended: Promise<unknown>
  /**
   * The partitions that the group's leader assigned to this member, by topic; empty before it
   * joined.
   */
  assigned(): Readonly<Record<string, readonly number[]>>
  /** Whether the broker answered at all during this session. */
  progressed(): boolean
  pause(topics: readonly string[]): void
  resume(topics: readonly string[]): void
  /** Leaves its place in the group to the next session. */
  abandon(): void
  stop(): Promise<void>
}

/**
 * A session that is not heard from ends before the lease of 10 s has ended twice: a killed
 * instance's partitions go to the others while the scheduler announces again. `onBatch` returns at
 * once, so heartbeats wait for nothing but the event loop.
 */
const SESSION_TIMEOUT_MS = 10_000
/**
 * How soon a member learns of a rebalance, at the price of one small request a second. It is less
 * than the wait of a fetch that finds nothing, so that one heartbeat goes with each of these.
 */
const HEARTBEAT_MS = 900
const REBALANCE_TIMEOUT_MS = 60_000
/**
 * A fetch that finds something returns at once. One that finds nothing delays a heartbeat, and with
 * it the news of a rebalance, by this much; with 500 ms and a heartbeat a second the news took up
 * to 1.5 s.
 */
const FETCH_WAIT_MS = 1_000
/**
 * For a group of one member that nobody continues. Neither its rebalances nor its end are waited
 * for, and a fetch that finds something still returns at once. With the waits of the other groups
 * each such reader made two fetches a second, and an idle broker used half as much again.
 */
const ALONE = { sessionTimeout: 30_000, heartbeatInterval: 5_000, maxWaitTimeInMs: 5_000 }
/**
 * About 130 messages of 500 bytes from each partition: what does not fit into the window is fetched
 * again.
 */
const FETCH_BYTES_PER_PARTITION = 64 * 1024
/**
 * A rebalance may rightly take its whole timeout; half as much again without any sign means that
 * the session hangs.
 */
const STALLED_AFTER_MS = 90_000
const LOOK_EVERY_MS = 10_000
const STOP_TIMEOUT_MS = 5_000
/** A commit takes milliseconds. If the broker does not answer one, what was done is read twice. */
const LAST_COMMIT_TIMEOUT_MS = 2_000
/**
 * As long as the other members take to hear of a rebalance, and half a second for a busy machine.
 */
const JOIN_TIMEOUT_MS = HEARTBEAT_MS + FETCH_WAIT_MS + 500

export function startConsumerSession(
  config: ConsumerSessionConfig,
  deps: ConsumerSessionDeps,
): ConsumerSession {
  const own = config.commits ? undefined : createKafkaSockets()
  const { consumer, cluster } = openConsumer(config, own)
  const commits = config.commits ? createKafkaCommits(deps.onError) : undefined
  if (config.seldomWhileEmpty.length > 0) fetchSeldomWhileEmpty(cluster(), config.seldomWhileEmpty)
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const reading = Promise.withResolvers<void>()
  let joined = false
  let assigned: Record<string, number[]> = {}
  let progressed = false
  let stopping = false

  const watchdog = createWatchdog(() => {
    ended.resolve(new Error(`${config.groupId} was not heard of for ${STALLED_AFTER_MS} ms`))
  })
  consumer.on('consumer.group_join', ({ payload }) => {
    watchdog.heard()
    joined = true
    assigned = payload.memberAssignment
    // Another member may have had these partitions meanwhile: messages in work belong to the past.
    commits?.forget()
    changeFlow(consumer, 'pause', config.topics.filter(deps.isPaused))
  })
  if (commits) {
    beforeEachJoin(cluster(), () => within(LAST_COMMIT_TIMEOUT_MS, commits.commitNow()))
  }
  consumer.on('consumer.fetch', () => {
    watchdog.heard()
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

  read(consumer, config, eachBatch).catch(ended.resolve)

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
      // kafkajs cannot leave while it joins: the group would count on it and wait until its session
      // ends.
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

async function read(
  consumer: Consumer,
  { topics, fromBeginning }: ConsumerSessionConfig,
  eachBatch: (payload: EachBatchPayload) => Promise<void>,
): Promise<void> {
  await consumer.connect()
  await consumer.subscribe({ topics: [...topics], fromBeginning })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
}

/** Both may fail when the broker is away; what was not committed is then read again. */
async function leave(consumer: Consumer, commits: KafkaCommits | undefined): Promise<void> {
  await commits?.stop()
  await consumer.disconnect().catch(() => undefined)
}

/** Tells when nothing was heard for `STALLED_AFTER_MS`. */
function createWatchdog(onStalled: () => void) {
  let lastHeardAt = performance.now()
  const ticker = createTicker(
    { name: 'kafka session', everyMs: LOOK_EVERY_MS, onError: () => undefined },
    async () => {
      if (performance.now() - lastHeardAt >= STALLED_AFTER_MS) onStalled()
    },
  )
  ticker.start()
  return {
    heard() {
      lastHeardAt = performance.now()
    },
    stop: () => void ticker.stop(),
  }
}

/** Between two sessions there is nothing to pause; the next join asks what is paused. */
function changeFlow(consumer: Consumer, verb: 'pause' | 'resume', topics: readonly string[]) {
  if (topics.length === 0) return
  try {
    consumer[verb](topics.map((topic) => ({ topic })))
  } catch {
    // kafkajs throws when the consumer is not running, and offers no way to ask.
  }
}
