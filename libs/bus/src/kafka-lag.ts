/**
 * Samples how many messages the groups of this process have yet to read. Between samples, and while
 * the broker does not answer, the last figures are given.
 */
import { createTicker } from '@posthorn/async/ticker'
import type { TopicName } from '@posthorn/contracts/topics'
import type { KafkaAdmin } from './kafka-client.ts'
import type { KafkaNames } from './kafka-topics.ts'

export interface GroupLag {
  group: string
  topic: TopicName
  messages: number
}

/** A sample takes three requests for each topic of a group, and a gauge need not be younger. */
const SAMPLE_EVERY_MS = 10_000

export function createLagSampler(
  admin: KafkaAdmin,
  names: KafkaNames,
  /** The topics that each group of this process reads. */
  groups: () => ReadonlyMap<string, ReadonlySet<TopicName>>,
  everyMs = SAMPLE_EVERY_MS,
) {
  let current: GroupLag[] = []
  let unread = new Map<string, number>()

  async function sample() {
    const fresh: GroupLag[] = []
    const partitions = new Map<string, number>()
    for (const [group, topics] of groups()) {
      for (const topic of topics) {
        fresh.push({ group, topic, messages: await countUnread(group, topic, partitions) })
      }
    }
    current = fresh
    unread = partitions
  }

  async function countUnread(
    group: string,
    topic: TopicName,
    partitions: Map<string, number>,
  ): Promise<number> {
    return admin.use(async (client) => {
      const wire = names.topic(topic)
      const ends = await client.fetchTopicOffsets(wire)
      const committed = await client.fetchOffsets({ groupId: names.group(group), topics: [wire] })
      const read = new Map(committed[0]?.partitions.map((p) => [p.partition, Number(p.offset)]))
      let all = 0
      for (const { partition, high, low } of ends) {
        // -1: nothing was committed yet, so everything that the topic keeps is unread.
        const count = Number(high) - Math.max(Number(low), read.get(partition) ?? -1)
        partitions.set(`${group} ${wire} ${partition}`, count)
        all += count
      }
      return all
    })
  }

  // An error means that the broker is away: `check` and the reader tell of it.
  const ticker = createTicker({ name: 'consumer lag', everyMs, onError: () => undefined }, sample)
  ticker.start()
  return {
    current: (): readonly GroupLag[] => current,
    /** 0 where it is unknown. */
    unread: (group: string, wire: string, partition: number): number =>
      unread.get(`${group} ${wire} ${partition}`) ?? 0,
    /** Does not wait for a sample that is under way. */
    stop: () => void ticker.stop(),
  }
}
