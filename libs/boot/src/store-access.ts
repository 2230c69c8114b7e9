/**
 * How the stores are reached, from the settings: who logs in how, and whom we believe. Files are
 * read here, once.
 */
import { readFileSync } from 'node:fs'
import { kafkajsLogin, type KafkaLogin, type KafkaSasl } from '@posthorn/bus/kafka-login'
import type { KafkaConfig } from '@posthorn/bus/kafka-client'
import type { Settings } from '@posthorn/runtime/config'
import type { RedisAccess } from '@posthorn/state/redis-clients'

const PARTITIONS = 8
const HOUR_MS = 3_600_000

/** Where `DATABASE_URL` leads through a pooler, nothing may rest on a session behind it. */
export function databaseAccess(
  settings: Pick<Settings, 'DATABASE_DIRECT_URL'>,
  databaseUrl: string,
): { directUrl: string; isPooled: boolean } {
  const direct = settings.DATABASE_DIRECT_URL
  return { directUrl: direct ?? databaseUrl, isPooled: ![undefined, databaseUrl].includes(direct) }
}

export function redisAccess(settings: Settings, url: string): RedisAccess {
  const { REDIS_CA_FILE, REDIS_SENTINEL_PASSWORD: sentinelPassword } = settings
  return {
    url,
    ...(REDIS_CA_FILE !== undefined && { ca: readCa('REDIS_CA_FILE', REDIS_CA_FILE) }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  }
}

export function kafkaAccess(settings: Settings, clientId: string): KafkaConfig {
  const { KAFKA_REPLICATION_FACTOR: replicationFactor, KAFKA_RETENTION_HOURS: hours } = settings
  return {
    brokers: settings.KAFKA_BROKERS,
    clientId,
    partitions: PARTITIONS,
    login: kafkajsLogin(kafkaLogin(settings)),
    topics: {
      create: settings.KAFKA_TOPICS === 'create',
      ...(replicationFactor !== undefined && { replicationFactor }),
      ...(hours !== undefined && { retentionMs: hours * HOUR_MS }),
    },
  }
}

function kafkaLogin(settings: Settings): KafkaLogin {
  const { KAFKA_TLS: isTls, KAFKA_CA_FILE: caFile } = settings
  const ca = caFile === undefined ? undefined : readCa('KAFKA_CA_FILE', caFile)
  const sasl = kafkaSasl(settings, ca)
  return { isTls, ...(ca !== undefined && { ca }), ...(sasl !== undefined && { sasl }) }
}

function kafkaSasl(settings: Settings, ca: string | undefined): KafkaSasl | undefined {
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: user, KAFKA_PASSWORD: password } = settings
  if (mechanism === 'none') return undefined
  if (user === undefined || password === undefined)
    throw new Error(`Set KAFKA_USERNAME and KAFKA_PASSWORD: KAFKA_SASL=${mechanism} needs them.`)
  if (mechanism !== 'oauthbearer') return { mechanism, username: user, password }
  const { KAFKA_OAUTH_TOKEN_URL: tokenUrl, KAFKA_OAUTH_SCOPE: scope } = settings
  if (tokenUrl === undefined)
    throw new Error('Set KAFKA_OAUTH_TOKEN_URL: KAFKA_SASL=oauthbearer needs it.')
  const client = { tokenUrl, clientId: user, clientSecret: password }
  const more = { ...(scope !== undefined && { scope }), ...(ca !== undefined && { ca }) }
  return { mechanism, client: { ...client, ...more } }
}

function readCa(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
