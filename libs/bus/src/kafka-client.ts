/**
 * How every kafkajs client of ours is set up, and the one admin connection of a process.
 *
 * kafkajs is quiet here: what went wrong is reported by whoever asked for it, once, instead of by every retry.
 */
import './kafka-crc-fix.ts'
import './kafka-timer-fix.ts'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import type { KafkaSockets } from './kafka-sockets.ts'

export interface KafkaConfig {
  brokers: readonly string[]
  clientId: string
  /** For topics that go to a group; fixed when a topic is first created. */
  partitions: number
  /** Before the names of topics and groups, so that several installations or tests share a broker. */
  topicPrefix?: string
  /** Of the bus that the client belongs to, which closes them; it makes its own unless given. */
  sockets?: KafkaSockets
}

/**
 * Within one call: 100 + 200 + 400 ms, then it throws. Longer outages are ours to bridge, with a fresh client a second
 * after each failure; kafkajs's own long retries end in states that it never leaves.
 */
export const KAFKA_RETRY = {
  retries: 3,
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
}

/** How long after a failure everything that talks to the broker tries again. */
export const RETRY_AFTER_MS = 1_000

/** A broker that answers at all does so in far less; one that is frozen must not hold a send for kafkajs's 30 s. */
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
    ...(config.sockets && { socketFactory: config.sockets.open }),
  })
}

export interface KafkaAdmin {
  /** Runs on the shared connection, which is opened when first needed and thrown away after a failure. */
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
