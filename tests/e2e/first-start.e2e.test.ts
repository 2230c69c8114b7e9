/**
 * What a newcomer does: start it, paste the line that it prints, look at the receiver; stop it,
 * kill it, start it again.
 */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isRunning } from '@posthorn/runtime/processes'
import { openPool } from '@posthorn/store/pool'
import { createTestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { withheldMs } from '@posthorn/testing/withheld-time'
import { type Posthorn, startPosthorn } from './posthorn.ts'

const run = promisify(execFile)
let posthorn: Posthorn
let firstStartMs: number

beforeAll(async () => {
  const startedAt = performance.now()
  posthorn = await startPosthorn('standalone', { EGRESS_ALLOW_CIDRS: '' })
  firstStartMs = performance.now() - startedAt
}, 150_000)

afterAll(async () => await posthorn.stop(), 60_000)

function printedLine(): string {
  return (
    posthorn
      .output()
      .split('\n')
      .findLast((line) => line.startsWith('curl ')) ?? ''
  )
}

test('the printed line delivers a signed event to the built-in receiver, which shows it, verified', async () => {
  await eventually(() => expect(printedLine()).not.toBe(''))
  const { stdout } = await run('bash', ['-c', printedLine()])
  const { id } = JSON.parse(stdout) as { id: string }
  await eventually(async () => {
    const { body } = await posthorn.call('GET', '/receiver/demo')
    expect(body.requests).toHaveLength(1)
    expect(body.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"hello":"world"}',
      verified: true,
    })
    expect(body.requests[0].headers['x-service-event-id']).toBe(id)
  })
  const page = await posthorn.call('GET', '/receiver/demo', undefined, { Accept: 'text/html' })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-")
})

test('the receiver answers as it is asked to, and other loopback addresses stay blocked', async () => {
  const failing = `${posthorn.url}/receiver/fails?status=503&times=1`
  const { id } = await posthorn.send({ destination: failing, payload: {} })
  await eventually(async () => {
    const event = await posthorn.event(id)
    expect(
      event.deliveryAttempts.map((attempt: { statusCode: number }) => attempt.statusCode),
    ).toEqual([503, 200])
  })
  const blocked = await posthorn.call(
    'POST',
    '/api/v1/events',
    { destination: `${posthorn.url}/metrics`, payload: {} },
    { 'X-Idempotency-Key': 'blocked' },
  )
  expect(blocked).toMatchObject({ status: 400, body: { code: 'DESTINATION_BLOCKED' } })
})

test('its key is closed to others', async () => {
  const { mode } = await stat(join(posthorn.dataDir, 'api-key'))
  expect(mode & 0o777).toBe(0o600)
})

test('a second one on the same data says so and ends, and harms the first nothing', async () => {
  const main = fileURLToPath(new URL('../../services/standalone/src/main.ts', import.meta.url))
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: posthorn.dataDir }
  await expect(run(process.execPath, [main], { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(posthorn.dataDir),
  })
  expect((await posthorn.call('GET', '/api/v1/events')).status).toBe(200)
})

test('its Postgres is reached over the Unix socket, and over TCP with large payloads', async () => {
  const file = async (name: string): Promise<string> =>
    (await readFile(join(posthorn.dataDir, name), 'utf8')).trim()
  const address = `127.0.0.1:${await file('postgres-port')}`
  const database = openPool({
    url: `postgres://posthorn:${await file('postgres-password')}@${address}/postgres`,
    max: 1,
    name: 'first start',
    onError: () => {},
  })
  const sessions = async (): Promise<{ socket: number; tcp: number }[]> => {
    const { rows } = await database.query<{ socket: number; tcp: number }>(
      `SELECT count(*) FILTER (WHERE client_addr IS NULL)::int AS socket,
        count(*) FILTER (WHERE client_addr IS NOT NULL)::int AS tcp
      FROM pg_stat_activity WHERE starts_with(application_name, 'posthorn ')`,
    )
    return rows
  }
  const destination = `${posthorn.url}/receiver/large`
  await posthorn.send({ destination, payload: { pad: 'x'.repeat(1_000) } })
  const small = await sessions()
  await posthorn.send({ destination, payload: { pad: 'x'.repeat(200_000) } })
  const large = await sessions()
  await database.end()
  expect(small).toEqual([{ socket: expect.any(Number), tcp: 0 }])
  expect(small[0]?.socket).toBeGreaterThan(0)
  expect(large).toMatchObject([{ tcp: 1 }])
})

test('large payloads go to the Postgres that all else goes to', async () => {
  const database = await createTestDatabase()
  const elsewhere = await startPosthorn('standalone', { DATABASE_DIRECT_URL: database.url })
  try {
    const destination = `${posthorn.url}/receiver/large`
    const { id } = await elsewhere.send({ destination, payload: { pad: 'x'.repeat(200_000) } })
    expect(await elsewhere.event(id)).toMatchObject({ id })
  } finally {
    await elsewhere.stop()
    await database.drop()
  }
})

test('killed with -9 it is ready within 3 seconds on its data, and delivers what was delayed', async () => {
  const later = `${posthorn.url}/receiver/later`
  const { id } = await posthorn.send({ destination: later, payload: {}, delaySeconds: 3 })
  const { apiKey } = posthorn
  const left = await postmaster()
  await posthorn.kill()
  const startedAt = performance.now()
  await posthorn.startAgain()
  const startMs = performance.now() - startedAt - (await withheldMs(posthorn.pid))
  // The first start made the database as well: on a machine where that takes longer, so may this.
  expect(startMs).toBeLessThan(Math.max(3_000, firstStartMs))
  expect(posthorn.apiKey).toBe(apiKey)
  // The Postgres that was left behind is adopted, not doubled.
  expect(await postmaster()).toBe(left)
  await eventually(async () => {
    expect((await posthorn.event(id)).deliveryAttempts.length).toBeGreaterThan(0)
  })
})

test('a signal stops all of it, Postgres too', async () => {
  const pid = await postmaster()
  expect(isRunning(pid)).toBe(true)
  await posthorn.stop()
  expect(isRunning(pid)).toBe(false)
})

/** The process of the embedded Postgres. */
async function postmaster(): Promise<number> {
  const text = await readFile(join(posthorn.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n', 1)[0])
}
