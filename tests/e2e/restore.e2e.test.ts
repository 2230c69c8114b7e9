/**
 * A dump that was made while everything ran is restored under a Kafka and a Redis that have lost
 * everything. Whatever had not ended by the moment of the dump is delivered, and nothing else.
 */
import { dirname, join } from 'node:path'
import { expect } from '@jest/globals'
import { type KafkaServer, startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type InstalledPostgres, startInstalledPostgres } from '../deploy/installed-postgres.ts'
import { testWith } from '../deploy/tools.ts'
import { type Posthorn, startPosthorn } from './posthorn.ts'

/** Two clusters start in it, one after the other. */
const TIMEOUT_MS = 300_000
const OF_EACH = 10
const DELAY_S = 6
/** They are attempted again and again, soon, for as long as it takes. */
const PATIENT = {
  maxRetries: 25,
  retryBackoffMs: 5_000,
  retryBackoffMult: 1,
  circuitThreshold: 0,
}

testWith(
  ['pg_dump'],
  'a dump restored under a wiped bus and a wiped Redis: every unfinished event is delivered',
  async ({ pg_dump: dump }) => {
    const undo: (() => Promise<unknown>)[] = []
    try {
      const stores = await startStores(dirname(dump), undo)
      const receiver = await startReceiver()
      undo.push(() => receiver.close())
      receiver.answer(({ path }) => ({ status: path === '/done' ? 200 : 503 }))
      const posthorn = await startPosthorn('cluster', {
        DATABASE_URL: stores.postgres.url,
        REDIS_URL: stores.redis.url,
        KAFKA_BROKERS: stores.kafka.url,
      })
      undo.push(() => posthorn.stop())
      await dumpAndRestore(posthorn, receiver, stores)
    } finally {
      for (const each of undo.toReversed()) await each()
    }
  },
  TIMEOUT_MS,
)

interface Stores {
  postgres: InstalledPostgres
  redis: ServerHandle
  kafka: KafkaServer
}

async function startStores(bin: string, undo: (() => Promise<unknown>)[]): Promise<Stores> {
  const postgres = await startInstalledPostgres(bin)
  undo.push(postgres.stop)
  const redis = await startRedisServer()
  undo.push(redis.stop)
  const kafka = await startKafkaServer()
  undo.push(kafka.stop)
  return { postgres, redis, kafka }
}

async function dumpAndRestore(
  posthorn: Posthorn,
  receiver: Receiver,
  { postgres, redis, kafka }: Stores,
): Promise<void> {
  const seen = (): Set<string> =>
    new Set(receiver.requests.map(({ headers }) => String(headers['x-service-event-id'])))
  const { finished, unfinished, pollId } = await sendAll(posthorn, receiver, seen)

  const dump = join(postgres.dir, 'posthorn.dump')
  postgres.run('pg_dump', ['--format=custom', `--file=${dump}`, 'posthorn'])
  const after = await posthorn.send({ destination: `${receiver.url}/down`, payload: {} })

  await posthorn.kill()
  await redis.kill()
  await kafka.kill()
  await kafka.wipe()
  postgres.run('dropdb', ['--force', 'posthorn'])
  postgres.run('createdb', ['posthorn'])
  postgres.run('pg_restore', ['--jobs=2', '--dbname=posthorn', dump])
  const before = receiver.requests.length
  receiver.answer({ status: 200 })
  await Promise.all([redis.restart(), kafka.restart()])
  await posthorn.startAgain()

  const delivered = (): string[] =>
    receiver.requests.slice(before).map(({ headers }) => String(headers['x-service-event-id']))
  await eventually(
    () => expect([...new Set(delivered())].toSorted()).toEqual(unfinished.toSorted()),
    { timeoutMs: 60_000, everyMs: 250 },
  )
  for (const id of unfinished) expect((await posthorn.event(id)).status).toBe('delivered')
  expect(delivered().filter((id) => finished.includes(id))).toEqual([])
  // What was accepted after the dump is gone with it.
  expect((await posthorn.call('GET', `/api/v1/events/${after.id}`)).status).toBe(404)
  const lanes = receiver.requests.slice(before).filter(({ path }) => path === '/lane')
  const numbers = lanes.map(({ rawBody }) => (JSON.parse(String(rawBody)) as { n: number }).n)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  const polled = await posthorn.call('GET', `/api/v1/poll?endpoint_id=${pollId}&timeout=30`)
  expect(polled.body.events).toHaveLength(OF_EACH)
}

/** Sends events that end before the dump, and events of each kind that do not. */
async function sendAll(
  posthorn: Posthorn,
  receiver: Receiver,
  seen: () => Set<string>,
): Promise<{ finished: string[]; unfinished: string[]; pollId: string }> {
  const add = async (body: object): Promise<string> => {
    const answer = await posthorn.call('POST', '/api/v1/endpoints', { ...PATIENT, ...body })
    expect(answer.status).toBe(201)
    return answer.body.id as string
  }
  await add({ url: `${receiver.url}/typed`, eventTypes: ['down.*'] })
  await add({ url: `${receiver.url}/lane`, eventTypes: ['lane.*'], fifo: true })
  const pollId = await add({
    url: 'poll://kept',
    eventTypes: ['polled.*'],
    deliveryMode: 'poll',
  })
  const send = async (event: object): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < OF_EACH; n += 1)
      ids.push((await posthorn.send({ ...event, payload: { n } })).id)
    return ids
  }
  const finished = await send({ destination: `${receiver.url}/done` })
  const unfinished = [
    ...(await send({ eventType: 'down.typed' })),
    ...(await send({ eventType: 'lane.one' })),
    ...(await send({ destination: `${receiver.url}/delayed`, delaySeconds: DELAY_S })),
  ]
  await send({ eventType: 'polled.one' })
  await eventually(async () => {
    for (const id of finished) expect((await posthorn.event(id)).status).toBe('delivered')
    for (const id of unfinished.slice(0, OF_EACH)) expect(seen()).toContain(id)
  })
  return { finished, unfinished, pollId }
}
