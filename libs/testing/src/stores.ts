/**
 * The Postgres, Redis, Kafka and S3 that tests share: each is started when first asked for, once in
 * a run.
 *
 * It takes the first of these: an address in the environment; a Docker engine that answers;
 * binaries on this machine. A store that cannot be had is an error that says what to install, never
 * a skipped test. Tests share the stores, so names in them need random parts.
 */
import { request } from 'node:http'
import type { StoreName } from './store.ts'
import { startStoresService, STORES_VARIABLE } from './stores-service.ts'

const VARIABLES: Readonly<Record<StoreName, readonly string[]>> = {
  postgres: ['TEST_DATABASE_URL', 'DATABASE_URL'],
  redis: ['TEST_REDIS_URL', 'REDIS_URL'],
  kafka: ['TEST_KAFKA_BROKERS', 'KAFKA_BROKERS'],
  s3: ['TEST_S3_URL'],
}

/** The URL of a database that may be used to make others: see `databases.ts`. */
export async function postgresUrl(): Promise<string> {
  return await urlOf('postgres')
}

export async function redisUrl(): Promise<string> {
  return await urlOf('redis')
}

/** `host:port`, several with commas. */
export async function kafkaBrokers(): Promise<string> {
  return await urlOf('kafka')
}

/** `http://<access key>:<secret key>@<host>:<port>`, whose owner may make buckets. */
export async function s3Url(): Promise<string> {
  return await urlOf('s3')
}

/**
 * Outside of a test run nobody else has started the stores: this process did, and they end with it.
 */
let own: ReturnType<typeof startStoresService> | undefined

async function urlOf(store: StoreName): Promise<string> {
  const given = VARIABLES[store].map((name) => process.env[name]).find(Boolean)
  if (given !== undefined) return given
  const service = process.env[STORES_VARIABLE] || (await (own ??= startStoresService())).url
  return await ask(`${service}/${store}`)
}

async function ask(url: string): Promise<string> {
  return await new Promise((done, failed) => {
    const asked = request(url, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => (response.statusCode === 200 ? done(text) : failed(new Error(text))))
    })
    asked.once('error', (cause) =>
      failed(new Error('The process that starts the stores is gone', { cause })),
    )
    asked.end()
  })
}
