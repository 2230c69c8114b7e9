/**
 * What test files share: a `standalone`, a cluster and a browser, each started once a run, by
 * whoever asks first.
 *
 * One process of a run owns them; they end with it. It answers `GET /standalone` and `GET /cluster`
 * with where they are, `GET /standalone/output` with what was printed, and `GET /chromium` with the
 * address of the browser.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSharedChromium } from '@posthorn/testing/chromium'
import { createTestDatabase } from '@posthorn/testing/databases'
import { kafkaBrokers, redisUrl } from '@posthorn/testing/stores'
import { type Mode, MODES, startPosthorn } from '../posthorn.ts'

/** Where the processes of a run find the owner. */
export const PRODUCTS_VARIABLE = 'POSTHORN_TEST_PRODUCTS'
/** How long what was fetched by a poll stays invisible, for the tests that wait for its end. */
export const POLL_VISIBILITY_MS = 1_500

export interface Place {
  url: string
  dataDir: string
  databaseUrl: string
  storageDir: string
}

export interface Running {
  place: Place
  /** What its processes printed. */
  output(): string
  stop(): Promise<void>
}

export async function startProduct(mode: Mode): Promise<Running> {
  const database = await createTestDatabase()
  const storageDir = await mkdtemp(join(tmpdir(), 'posthorn-storage-'))
  const clean = async (): Promise<void> => {
    await database.drop()
    await rm(storageDir, { recursive: true, force: true })
  }
  const settings = {
    DATABASE_URL: database.url,
    ...(mode === 'cluster' ? await brokerSettings() : {}),
    STORAGE_DIR: storageDir,
    LOG_LEVEL: 'info',
    POLL_VISIBILITY_TIMEOUT_MS: String(POLL_VISIBILITY_MS),
  }
  const posthorn = await startPosthorn(mode, settings, ['--dispatchers', '2']).catch(
    async (error: unknown) => {
      await clean()
      throw error
    },
  )
  const { url, dataDir } = posthorn
  return {
    place: { url, dataDir, databaseUrl: database.url, storageDir },
    output: posthorn.output,
    stop: async () => {
      await posthorn.stop()
      await clean()
    },
  }
}

/**
 * Hundreds of tests need what starts here. On a machine that others use too a start may come to its
 * end too late, and says nothing of the product then.
 */
async function startWithSecondTry(mode: Mode): Promise<Running> {
  try {
    return await startProduct(mode)
  } catch (error) {
    process.stderr.write(`The ${mode} did not start, and is started again: ${String(error)}\n`)
    return await startProduct(mode)
  }
}

/**
 * The run's Redis and Kafka; one that somebody else gave may serve another cluster, with topics of
 * the same names.
 */
async function brokerSettings(): Promise<Record<string, string>> {
  const given = ['TEST_REDIS_URL', 'REDIS_URL', 'TEST_KAFKA_BROKERS', 'KAFKA_BROKERS']
  if (given.some((name) => process.env[name])) return {}
  return { REDIS_URL: await redisUrl(), KAFKA_BROKERS: await kafkaBrokers() }
}

export async function startProductsService(): Promise<{ url: string; stop(): Promise<void> }> {
  const started = new Map<Mode, Promise<Running>>()
  let chromium: ReturnType<typeof startSharedChromium> | undefined
  const server = createServer(async (request, response) => {
    try {
      const [, name, what] = request.url?.split('/') ?? []
      if (name === 'chromium') {
        chromium ??= startSharedChromium()
        response.end((await chromium).url)
        return
      }
      const mode = MODES.find((one) => one === name)
      if (mode === undefined) throw new Error(`There is no product ${request.url}`)
      const running = started.get(mode) ?? startWithSecondTry(mode)
      started.set(mode, running)
      const { place, output } = await running
      response.end(what === 'output' ? output() : JSON.stringify(place))
    } catch (error) {
      response.writeHead(500).end(Error.isError(error) ? error.stack : String(error))
    }
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', done)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      const all = await Promise.allSettled([...started.values(), ...(chromium ? [chromium] : [])])
      // Also when the stores are gone already: each product ends.
      await Promise.allSettled(
        all.map(async (one) => {
          if (one.status === 'fulfilled') await one.value.stop()
        }),
      )
    },
  }
}
