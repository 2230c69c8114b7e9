/** The entry of the image, started as the image starts it, on a real Postgres. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { redisUrl } from '@posthorn/testing/stores'
import { HEAP_FLAGS } from '../heap.mjs'

const HEALTHCHECK = fileURLToPath(new URL('../healthcheck.mjs', import.meta.url))
const ENTRY = fileURLToPath(new URL('../posthorn.mjs', import.meta.url))
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await emptied()
})
afterAll(() => database.drop())

async function emptied(): Promise<void> {
  const pool = openPool({ url: database.url, max: 1, name: 'posthorn tests', onError: () => {} })
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await pool.end()
}

async function posthorn(args: readonly string[], env: Record<string, string> = {}) {
  const flags = ['--disable-warning=ExperimentalWarning', ...HEAP_FLAGS]
  return await run([...flags, ENTRY, ...args], env)
}

async function run(args: readonly string[], env: Record<string, string>) {
  return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

test('a database is planned, migrated, and then up to date', async () => {
  const env = { DATABASE_URL: database.url, MASTER_KEY }
  const plan = await posthorn(['migrate', '--plan'], env)
  expect(plan.stderr).toBe('')
  expect(plan.stdout).toMatch(/^\d+ migrations would run/)
  expect(plan.stdout).toContain('The version before can go on during and after this.')
  const first = await posthorn(['migrate'], env)
  expect(first.stdout).toMatch(/^The first API key: \S+\nThese migrations ran:\n {2}0001_init\n/)
  const second = await posthorn(['migrate'], env)
  expect(second).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' })
  const after = await posthorn(['migrate', '--plan'], env)
  expect(after.stdout).toBe('Nothing to do: every migration of this version has run.\n')
})

test('what is wrong is said, with an exit code for it', async () => {
  const none = await posthorn(['migrate'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Set DATABASE_URL')])
  const wrong = await posthorn(['dispatchr'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no "dispatchr"')])
  const service = await posthorn(['dispatcher'])
  expect([service.code, service.stderr]).toEqual([1, expect.stringContaining('Set DATABASE_URL')])
})

test('the doctor looks at stores, and says with its exit code whether they will do', async () => {
  const well = await posthorn(['doctor', '--stores'], { REDIS_URL: await redisUrl() })
  expect([well.code, well.stdout]).toEqual([0, expect.stringMatching(/redis {5}ok {7}Redis 7/)])
  const wrong = new URL(database.url)
  wrong.password = 'wrong'
  const ill = await posthorn(['doctor', '--stores'], {
    DATABASE_URL: wrong.href,
    REDIS_URL: await redisUrl(),
    REDIS_CA_FILE: '/nowhere.pem',
  })
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/postgres {2}WRONG {4}it refuses the user or password/)
  expect(ill.stdout).toMatch(/redis {5}WRONG {4}REDIS_CA_FILE cannot be read/)
  expect(ill.stdout).toMatch(/kafka {5}warning {2}KAFKA_BROKERS is not set/)
})

test('the health check asks whether the service is ready', async () => {
  let status = 200
  const server = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const env = { HOST: '0.0.0.0', PORT: String((server.address() as AddressInfo).port) }
  expect((await run([HEALTHCHECK], env)).code).toBe(0)
  status = 503
  expect((await run([HEALTHCHECK], env)).code).toBe(1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect((await run([HEALTHCHECK], env)).code).toBe(1)
})
