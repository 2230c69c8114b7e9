/**
 * Looks at Kafka as a service would use it, and tells in words what would not work. It makes no
 * topic: what would be made is tried with the broker's own validation.
 */
import { TOPICS } from '@posthorn/contracts/topics'
import {
  connectionFault,
  describeChain,
  type StoreFinding,
} from '@posthorn/contracts/store-findings'
import type { Admin } from 'kafkajs'
import { type KafkaConfig, openKafka } from './kafka-client.ts'
import { createKafkaSockets } from './kafka-sockets.ts'
import { createTopics, kafkaNames, wantedTopics } from './kafka-topics.ts'

/** Every service that reads a topic is a group, and has a topic for what it cannot parse. */
const GROUPS = new Set(
  Object.values(TOPICS)
    .filter(({ delivery }) => delivery === 'group')
    .flatMap(({ readers }) => readers),
)

export async function diagnoseKafka(given: KafkaConfig): Promise<StoreFinding[]> {
  const sockets = createKafkaSockets()
  const config = { ...given, sockets }
  const admin = openKafka(config).admin()
  try {
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    return [
      { level: 'ok', text: `${brokers.length} broker(s) answer` },
      ...(await diagnoseTopics(admin, config, brokers.length)),
      ...(await diagnoseGroups(admin, config)),
    ]
  } catch (error) {
    return [{ level: 'wrong', text: wordsOf(error) }]
  } finally {
    await admin.disconnect().catch(() => undefined)
    sockets.close()
  }
}

async function diagnoseTopics(
  admin: Admin,
  config: KafkaConfig,
  brokers: number,
): Promise<StoreFinding[]> {
  const existing = new Set(await admin.listTopics())
  const wanted = [...wantedTopics(config, GROUPS)]
  const missing = wanted.filter(([topic]) => !existing.has(topic))
  const found = wanted.filter(([topic]) => existing.has(topic)).map(([topic]) => topic)
  const findings = await diagnoseReplicas(admin, found, brokers)
  if (missing.length === 0) return findings
  const names = missing.map(([topic]) => topic).join(', ')
  if (config.topics?.create === false)
    return [
      ...findings,
      {
        level: 'wrong',
        text: `these topics are missing, or this user may not see them, and KAFKA_TOPICS is "existing": ${names}`,
      },
    ]
  try {
    await createTopics(admin, config.topics, missing, true)
    return [...findings, { level: 'ok', text: `${missing.length} topics will be made` }]
  } catch (error) {
    return [...findings, { level: 'wrong', text: `topics cannot be made: ${wordsOf(error)}` }]
  }
}

async function diagnoseReplicas(
  admin: Admin,
  topics: string[],
  brokers: number,
): Promise<StoreFinding[]> {
  if (topics.length === 0) return []
  const { topics: described } = await admin.fetchTopicMetadata({ topics })
  const single = described.filter(({ partitions }) =>
    partitions.some(({ replicas }) => replicas.length < Math.min(2, brokers)),
  )
  const there: StoreFinding = { level: 'ok', text: `${topics.length} topics are there` }
  if (single.length === 0) return [there]
  const names = single.map(({ name }) => name).join(', ')
  return [there, { level: 'warning', text: `these have one replica, of ${brokers}: ${names}` }]
}

/** A right that is missing here would otherwise be found out by a service that never reads. */
async function diagnoseGroups(admin: Admin, config: KafkaConfig): Promise<StoreFinding[]> {
  const names = kafkaNames(config.topicPrefix)
  try {
    await admin.describeGroups([...GROUPS].map(names.group))
    return [{ level: 'ok', text: `this user may read as ${[...GROUPS].join(', ')}` }]
  } catch (error) {
    return [{ level: 'wrong', text: wordsOf(error) }]
  }
}

function wordsOf(error: unknown): string {
  const said = describeChain(error)
  const known: readonly (readonly [RegExp, string])[] = [
    [
      /SASL .* mechanism is not supported/i,
      'it does not offer the mechanism of KAFKA_SASL at this listener',
    ],
    [
      /SASL|authentication failed|credentials|ILLEGAL_SASL_STATE/i,
      'it refuses the login: KAFKA_USERNAME, KAFKA_PASSWORD or KAFKA_SASL is wrong',
    ],
    [
      /replication.?factor/i,
      'KAFKA_REPLICATION_FACTOR, or the brokers’ default, is larger than the number of brokers',
    ],
    [/not authorized|authorization/i, 'the user lacks a right (ACL)'],
    [
      /Connection closed|Closed connection|disconnected|No brokers in the broker pool/i,
      'it closes the connection: are KAFKA_TLS and KAFKA_SASL what this listener wants, and is the token for this Kafka?',
    ],
  ]
  const words = known.find(([pattern]) => pattern.test(said))?.[1] ?? connectionFault(error)
  return words === undefined ? said : `${words} (${said})`
}
