/**
 * The names that topics and groups have on the broker, and their creation from the catalog.
 *
 * An existing topic is left as it is: its number of partitions decides where a key goes, and
 * readers rely on that.
 */
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { Admin } from 'kafkajs'
import type { KafkaAdmin, KafkaConfig, TopicPolicy } from './kafka-client.ts'

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

/** The topics that an installation has, and how many partitions each is made with. */
export function wantedTopics(config: KafkaConfig, groups: Iterable<string>): Map<string, number> {
  const names = kafkaNames(config.topicPrefix)
  const wanted = new Map<string, number>()
  for (const topic of Object.keys(TOPICS) as TopicName[]) {
    // A topic that every instance reads in full gains nothing from partitions.
    wanted.set(names.topic(topic), TOPICS[topic].delivery === 'group' ? config.partitions : 1)
  }
  for (const group of groups) wanted.set(names.deadLetter(group), 1)
  return wanted
}

/**
 * Creates what is missing: the catalog's topics and one dead-letter topic for each group. Where the
 * operator makes topics, it throws with the names of those that are missing.
 */
export async function ensureTopics(
  config: KafkaConfig,
  admin: KafkaAdmin,
  groups: Iterable<string>,
): Promise<void> {
  await admin.use(async (client) => {
    const existing = new Set(await client.listTopics())
    const missing = [...wantedTopics(config, groups)].filter(([topic]) => !existing.has(topic))
    if (missing.length === 0) return
    if (config.topics?.create === false)
      throw new Error(`Kafka has no ${missing.map(([topic]) => topic).join(', ')}: make them`)
    await createTopics(client, config.topics, missing)
  })
}

/** @param isTrial tells what would fail, and makes none */
export async function createTopics(
  client: Admin,
  policy: TopicPolicy | undefined,
  missing: readonly (readonly [topic: string, partitions: number])[],
  isTrial = false,
): Promise<void> {
  const { replicationFactor, retentionMs } = policy ?? {}
  const topics = missing.map(([topic, numPartitions]) => ({
    topic,
    numPartitions,
    ...(replicationFactor !== undefined && { replicationFactor }),
    ...(retentionMs !== undefined && {
      configEntries: [{ name: 'retention.ms', value: String(retentionMs) }],
    }),
  }))
  try {
    // It answers false where another instance has made some of them first, which is as good.
    await client.createTopics({ topics, waitForLeaders: !isTrial, validateOnly: isTrial })
  } catch (error) {
    const [first] = (error as { errors?: (Error & { topic?: string })[] }).errors ?? []
    if (first === undefined) throw error
    throw new Error(`making the topic ${first.topic}: ${first.message}`, { cause: first })
  }
}
