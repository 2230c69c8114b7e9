/** The settings of Postgres, Redis and Kafka, as operators have them. */
import { z } from 'zod'
import { Flag, list } from './setting-kinds.ts'

export const STORE_SETTINGS = {
  DATABASE_URL: z
    .string()
    .optional()
    .describe('Postgres 15 or newer; `standalone` without it: embedded'),
  DATABASE_DIRECT_URL: z
    .string()
    .optional()
    .describe(
      'the same Postgres without a pooler; set it when `DATABASE_URL` leads through PgBouncer in transaction mode',
    ),
  REDIS_URL: z
    .string()
    .optional()
    .describe(
      'Redis 7, `redis://user:password@host:6379/0`, `rediss://…` with TLS, `redis-sentinel://host:26379,host:26379/0#primary` or `redis-cluster://host:6379,host:6379`; `standalone` without it: in process',
    ),
  REDIS_CA_FILE: z
    .string()
    .optional()
    .describe(
      "PEM file of the authority that signed Redis's certificates; without it: the public ones",
    ),
  REDIS_SENTINEL_PASSWORD: z.string().optional().describe('password of the Sentinels themselves'),
  KAFKA_BROKERS: list(
    'Kafka brokers, `host:port`, comma-separated; `standalone` without it: in process',
  ),
  KAFKA_TLS: Flag.default(false).describe('talk to the brokers over TLS'),
  KAFKA_CA_FILE: z
    .string()
    .optional()
    .describe(
      "PEM file of the authority that signed the brokers' certificates; without it: the public ones",
    ),
  KAFKA_SASL: z
    .enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'])
    .default('none')
    .describe('how to log in to Kafka'),
  KAFKA_USERNAME: z.string().optional().describe('user, or client id of `oauthbearer`'),
  KAFKA_PASSWORD: z.string().optional().describe('password, or client secret of `oauthbearer`'),
  KAFKA_OAUTH_TOKEN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('token endpoint of `oauthbearer`'),
  KAFKA_OAUTH_SCOPE: z.string().optional().describe('scope of the tokens of `oauthbearer`'),
  KAFKA_TOPICS: z
    .enum(['create', 'existing'])
    .default('create')
    .describe('`existing`: topics are yours, and none is made'),
  KAFKA_REPLICATION_FACTOR: z.coerce
    .number()
    .int()
    .min(1)
    .max(15)
    .optional()
    .describe("replicas of topics that are made; without it: the brokers' default"),
  KAFKA_RETENTION_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(8_760)
    .optional()
    .describe("how long topics that are made keep messages; without it: the brokers' default"),
}
