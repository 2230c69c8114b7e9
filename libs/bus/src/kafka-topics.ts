/**
 * The names that topics and groups have on the broker, and their creation from the catalog.
 *
 * An existing topic is left as it is: its number of partitions decides where a key goes, and
 * readers rely on that.
 */
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { KafkaAdmin, KafkaConfig } from './kafka-client.ts'

export interface KafkaNames {
  topic(topic: TopicName): string
  group(group: string): string
  deadLetter(group: string): string
}

export function kafkaNames(prefix = ''): KafkaNames {
  return {
    topic: (topic) => `${prefix}${topic}`,
    group: (group) => `${prefix}${group}`,
    deadLetter: (group) => `${prefix}${group}.dead-letter`,
  }
}

/** Creates what is missing: the catalog's topics and one dead-letter topic for each group. */
export async function ensureTopics(
  config: KafkaConfig,
  admin: KafkaAdmin,
  groups: Iterable<string>,
): Promise<void> {
  const names = kafkaNames(config.topicPrefix)
  const wanted = new Map<string, number>()
  for (const topic of Object.keys(TOPICS) as TopicName[]) {
    // A topic that every instance reads in full gains nothing from partitions.
    wanted.set(names.topic(topic), TOPICS[topic].delivery === 'group' ? config.partitions : 1)
  }
  for (const group of groups) wanted.set(names.deadLetter(group), 1)

  await admin.use(async (client) => {
    const existing = new Set(await client.listTopics())
    const missing = [...wanted].filter(([topic]) => !existing.has(topic))
    if (missing.length === 0) return
    const topics = missing.map(([topic, numPartitions]) => ({ topic, numPartitions }))
    // It answers false where another instance has made some of them first, which is as good.
    await client.createTopics({ topics, waitForLeaders: true })
  })
}
