/**
 * The bus between services, in two implementations that pass one suite: Kafka, and in-process for
 * `standalone`.
 *
 * It promises little on purpose: messages may be lost, repeated, late and out of order. What must
 * not be lost stands in Postgres with a `due_at` and is announced again.
 */
import type { MessageOf, TopicName } from '@posthorn/contracts/topics'

export interface Bus {
  /**
   * Queues messages for sending. Never waits and never throws. Returns how many were taken, from
   * the front of the array; the rest did not fit into the bounded queue and is left to its
   * `due_at`.
   */
  announce<Name extends TopicName>(topic: Name, messages: readonly MessageOf<Name>[]): number
  /**
   * How long what is announced in so many ms would wait for others, in ms. Whoever has more to
   * announce by then can wait for that instead: all of it is read as soon.
   */
  waitMs(inMs: number): number
  /** True while the queue is under half full and sending works: the sweep runs only then. */
  writable(): boolean
  /**
   * How long a message waits for others in the mean while much is announced, in ms. One that comes
   * this late says nothing about a lack of processors.
   */
  readonly batchingDelayMs: number
  /** Starts reading. Resolves once reading has begun (with Kafka: the group was joined). */
  subscribe<Name extends TopicName>(subscription: BusSubscription<Name>): Promise<Reader>
  /** For `/health`: whether the broker answers, and why not. */
  check(): Promise<{ ok: boolean; detail: string }>
  /**
   * Messages not yet read, by group and topic, sampled every few seconds. Empty where it is
   * unknown.
   */
  lag(): readonly { group: string; topic: TopicName; messages: number }[]
  /**
   * The progress of reading in this process, one entry for each subscription to topics that go to a
   * group; there is none for a subscription that is paused or stopped.
   */
  progress(): readonly ConsumerProgress[]
  /** Sends what is queued, for at most `timeoutMs`, then closes. */
  close(timeoutMs: number): Promise<void>
}

/** A reader that has messages waiting and has done none of them for long enough is stuck. */
export interface ConsumerProgress {
  group: string
  /**
   * Messages that only this instance can do: those handed over and not done, and the unread ones in
   * the partitions assigned to it.
   */
  waiting: number
  /** Messages done so far. */
  done: number
}

export interface BusSubscription<Name extends TopicName> {
  /**
   * The reading service's name. For a topic that goes to `every` instance the bus makes it unique.
   */
  group: string
  topics: readonly Name[]
  /**
   * Reading of a topic pauses while this many of its messages are not done, and resumes at half.
   */
  maxInFlight: number
  /** Must return at once (it queues); a throw is logged and counts as done. */
  onMessages(topic: Name, messages: readonly Received<MessageOf<Name>>[]): void
}

export interface Received<Value> {
  value: Value
  /** The work is taken over or finished: the message need not come again. Idempotent. */
  done(): void
}

export interface Reader {
  /** Stops taking messages; `done` may still be called for those that were handed over. */
  pause(): void
  /** Leaves the group after committing what is done. */
  stop(): Promise<void>
}

export interface Poison {
  group: string
  topic: string
  /** One of a few words, for metrics. */
  kind: PoisonKind
  /** What is wrong, for people. */
  reason: string
  value: string
}

/**
 * `empty`: no value at all; `no-json`: text that is not JSON; `no-value`: JSON that is no value of
 * the topic, or has an unknown version.
 */
export type PoisonKind = 'empty' | 'no-json' | 'no-value'

/** What every implementation reports to its owner. */
export interface BusEvents {
  /**
   * A message that could not be parsed. The bus over Kafka also writes it to `<group>.dead-letter`.
   */
  onPoison(entry: Poison): void
  onError(error: unknown, doing: string): void
  /**
   * Messages are about to be parsed or handed over. `tenantId` is the first one's, or '' where it
   * has none.
   */
  onHandOver?(topic: TopicName, tenantId: string): void
  /**
   * Reading has stopped for good and cannot be restored from inside: the process must end and be
   * started again.
   */
  onFatal(error: unknown): void
}
