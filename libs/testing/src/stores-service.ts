/**
 * Starts each store once, whoever asks first: test files run in processes of their own and must
 * share them.
 *
 * One process of a run owns the stores and answers `GET /postgres`, `/redis`, `/kafka`, `/s3` with
 * an address on loopback. The stores end with it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDockerStore } from './docker-stores.ts'
import { startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import { startS3Server } from './s3-server.ts'
import type { SharedStore, StoreName } from './store.ts'

/** The environment variable in which the processes of a run find its address. */
export const STORES_VARIABLE = 'POSTHORN_TEST_STORES'

const STARTERS: Readonly<Record<StoreName, () => Promise<SharedStore>>> = {
  // Some workers, each with some pools at once, and the products that e2e tests share. Nothing of
  // it outlives the run, so nothing is synced to the disk: each database that a test file drops
  // would cost a checkpoint of some hundred files.
  postgres: async () =>
    await startPostgresServer({ settings: { max_connections: 300, fsync: 'off' } }),
  redis: async () => await startRedisServer(),
  kafka: async () => await startKafkaServer(),
  s3: async () => await startS3Server(),
}

export async function startStoresService(): Promise<SharedStore> {
  const started = new Map<StoreName, Promise<SharedStore>>()
  const start = async (name: StoreName): Promise<SharedStore> =>
    (await startDockerStore(name)) ?? (await STARTERS[name]())
  const get = async (name: StoreName): Promise<SharedStore> => {
    let store = started.get(name)
    if (store === undefined) started.set(name, (store = start(name)))
    return await store
  }

  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    try {
      if (!Object.hasOwn(STARTERS, name)) throw new Error(`There is no store ${name}`)
      response.end((await get(name as StoreName)).url)
    } catch (error) {
      response.writeHead(500).end((error as Error).message)
    }
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', done)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      const stores = await Promise.allSettled(started.values())
      await Promise.all(
        stores.map(async (store) => {
          if (store.status === 'fulfilled') await store.value.stop()
        }),
      )
    },
  }
}
