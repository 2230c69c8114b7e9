/**
 * How every kafkajs client of ours is set up, and the one admin connection of a process. kafkajs
 * itself logs nothing: whoever asked for something reports once what went wrong, instead of kafkajs
 * at every retry.
 */
import './kafka-broker-fix.ts'
import './kafka-timer-fix.ts'
import { type Admin, Kafka, type KafkaConfig as KafkajsConfig, logLevel } from 'kafkajs'
import type { KafkaSockets } from './kafka-sockets.ts'

export interface KafkaConfig {
  brokers: readonly string[]
  clientId: string
  /** The number of partitions of a topic that goes to a group; fixed when the topic is created. */
  partitions: number
  /**
   * A prefix of the names of topics and groups, so that installations or tests can share a broker.
   */
  topicPrefix?: string
  topics?: TopicPolicy
  /** TLS and SASL, as `kafkajsLogin` makes it; default: neither. */
  login?: Pick<KafkajsConfig, 'ssl' | 'sasl'>
  /**
   * The sockets of the bus that the client belongs to, which closes them; by default it has its
   * own.
   */
  sockets?: KafkaSockets
}

export interface TopicPolicy {
  /** False: topics are found as they are, and one that is missing is an error. */
  create: boolean
  /** Topics that are made have so many replicas; default: the broker's own number. */
  replicationFactor?: number
  /** For how long topics that are made keep messages; default: the broker's own. */
  retentionMs?: number
}

/**
 * Within one call: 100 + 200 + 400 ms, then it throws. Longer outages are bridged here, with a new
 * client a second after each failure, because kafkajs's own long retries end in states that it
 * never leaves.
 */
export const KAFKA_RETRY = {
  retries: 3,
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
}

/** How long after a failure everything that talks to the broker waits before it tries again. */
export const RETRY_AFTER_MS = 1_000

/**
 * A broker that answers at all does so in far less; a frozen one must not delay a send for
 * kafkajs's 30 s.
 */
const REQUEST_TIMEOUT_MS = 10_000
const CONNECTION_TIMEOUT_MS = 3_000

export function openKafka(config: KafkaConfig): Kafka {
  return new Kafka({
    clientId: config.clientId,
    brokers: [...config.brokers],
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: KAFKA_RETRY,
    logLevel: logLevel.NOTHING,
    ...config.login,
    ...(config.sockets && { socketFactory: config.sockets.open }),
  })
}

export interface KafkaAdmin {
  /**
   * Runs on the shared connection, which is opened when first needed and thrown away after a
   * failure.
   */
  use<Answer>(work: (admin: Admin) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

export function createKafkaAdmin(config: KafkaConfig): KafkaAdmin {
  let current: Promise<Admin> | undefined

  async function open(): Promise<Admin> {
    const admin = openKafka(config).admin()
    try {
      await admin.connect()
      return admin
    } catch (error) {
      await admin.disconnect().catch(() => undefined)
      throw error
    }
  }

  async function dispose(connection: Promise<Admin>) {
    if (current === connection) current = undefined
    await connection.then((admin) => admin.disconnect()).catch(() => undefined)
  }

  return {
    async use(work) {
      const connection = (current ??= open())
      try {
        return await work(await connection)
      } catch (error) {
        void dispose(connection)
        throw error
      }
    },
    async close() {
      if (current) await dispose(current)
    },
  }
}
