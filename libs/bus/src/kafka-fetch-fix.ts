/**
 * Changes two things about what kafkajs asks of a broker in a fetch.
 *
 * First, a fetch that finds nothing has two waits instead of one. While the consumer reads
 * everything it waits as long as it was set to, so that an idle reader costs little. It waits
 * briefly while something is paused, because a resume takes effect only with the next fetch, and in
 * its first fetch, for which whoever subscribes is waiting. With one short wait for all, ten
 * fetches a second of each reader, over 24 partitions each, were most of what an idle cluster used.
 *
 * Second, topics that may be late are left out of most fetches while they are empty and others
 * bring messages. Kafka looks at each partition that a fetch names when it arrives, when it begins
 * to wait and when it ends. At 1,000 messages and 220 fetches a second, 24 partitions of empty bulk
 * topics beside 24 of others took a tenth of the processor time of the broker, and of the
 * dispatcher; eight of an empty topic of low priority took 3 to 5 %.
 *
 * Like the timer fix it replaces a method and must be checked again with any other version of
 * kafkajs.
 */
import { createRequire } from 'node:module'

interface ConsumerGroup {
  cluster: object
  maxWaitTime: number
  subscriptionState: { paused(): readonly unknown[] }
  recoverFromFetch(error: unknown): Promise<void>
}

interface FetchedBatch {
  topic: string
  isEmptyIncludingFiltered(): boolean
}

interface ConsumerGroupClass {
  prototype: {
    fetch(this: ConsumerGroup, nodeId: number): Promise<readonly FetchedBatch[]>
    getActiveTopicPartitions(this: ConsumerGroup): Record<string, Set<number>>
  }
}

/** How late a resume takes effect at worst. */
const WHILE_PAUSED_MS = 100
const FIRST_MS = 100
/** How late a message in a topic that was empty is fetched at worst. */
const EMPTY_EVERY_MS = 50
/** A fetch that would end this soon to make room for the next has the topics itself. */
const SHORTEST_MS = 10
/** A topic that had messages is in each fetch for so long. */
const FOUND_FOR_MS = 1_000

const require = createRequire(import.meta.url)
const groupClass = require('kafkajs/src/consumer/consumerGroup.js') as ConsumerGroupClass
const { fetch, getActiveTopicPartitions } = groupClass.prototype
const views = new WeakMap<ConsumerGroup, Map<number, View>>()
/** By kafkajs's cluster object; each consumer has its own. */
const seldomWhileEmpty = new WeakMap<object, ReadonlySet<string>>()

/** Leaves topics out of most fetches of the consumer on that cluster while they are empty. */
export function fetchSeldomWhileEmpty(cluster: object, topics: Iterable<string>): void {
  seldomWhileEmpty.set(cluster, new Set(topics))
}

/**
 * A group as its fetches from one broker see it; fetches from several go on at once. It is made
 * once, so that V8 knows its shape.
 */
interface View extends ConsumerGroup {
  /** Not fetched just now. */
  leftOut: ReadonlySet<string>
  /** When the last fetch began that left nothing out. */
  allFetchedAt: number
  /** When each of the topics that may be left out last had messages. */
  foundAt: Map<string, number>
}

const NOTHING: ReadonlySet<string> = new Set()

function createView(group: ConsumerGroup): View {
  return Object.assign(Object.create(group) as ConsumerGroup, {
    maxWaitTime: 0,
    leftOut: NOTHING,
    allFetchedAt: -Infinity,
    foundAt: new Map<string, number>(),
    getActiveTopicPartitions(this: View) {
      const active = getActiveTopicPartitions.call(group)
      for (const topic of this.leftOut) if (topic in active) active[topic] = new Set()
      return active
    },
    // It joins again, which changes the group itself.
    recoverFromFetch: async (error: unknown) => await group.recoverFromFetch(error),
  })
}

groupClass.prototype.fetch = async function fetchWhatIsLikely(nodeId) {
  const known = views.get(this) ?? new Map<number, View>()
  const isFirst = known.size === 0
  const view = known.get(nodeId) ?? createView(this)
  views.set(this, known.set(nodeId, view))
  const topics = seldomWhileEmpty.get(this.cluster) ?? NOTHING
  const now = performance.now()
  const empty = new Set([...topics].filter((topic) => isEmptyNow(view, topic, now)))
  const leftMs = view.allFetchedAt + EMPTY_EVERY_MS - now
  const leavesOut = empty.size > 0 && leftMs >= SHORTEST_MS
  if (!leavesOut) view.allFetchedAt = now
  view.leftOut = leavesOut ? empty : NOTHING
  view.maxWaitTime = Math.min(
    this.maxWaitTime,
    longestWait(this, isFirst),
    leavesOut ? Math.ceil(leftMs) : Infinity,
  )
  const batches = await fetch.call(view, nodeId)
  for (const batch of batches) {
    if (topics.has(batch.topic) && !batch.isEmptyIncludingFiltered())
      view.foundAt.set(batch.topic, performance.now())
  }
  return batches
}

function isEmptyNow({ foundAt }: View, topic: string, now: number): boolean {
  return now - (foundAt.get(topic) ?? -Infinity) >= FOUND_FOR_MS
}

function longestWait(group: ConsumerGroup, isFirst: boolean): number {
  if (isFirst) return FIRST_MS
  return group.subscriptionState.paused().length > 0 ? WHILE_PAUSED_MS : Infinity
}
