/** The outbox against a real mail server, on real rows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { startMailServer, type TestMailServer } from './mail-server.fixture.ts'
import type { MailWorker } from './mail-worker.ts'
import { openMailSender, openMailWorker } from './open-mail.ts'

const PUBLIC_URL = 'https://hooks.example.com'
const MAIL_FROM = 'Acme <mail@hooks.example.com>'

let database: TestDatabase
let pool: Pool
let server: TestMailServer
let workers: MailWorker[] = []
let counted: Record<string, number> = {}

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 8, name: 'mail tests', onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  server = await startMailServer()
  counted = {}
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(5_000)))
  workers = []
  await pool.query('DELETE FROM mails')
  await server.close()
})

function startWorker(url = server.url): void {
  const sendMail = openMailSender({ SMTP_URL: url, MAIL_FROM }, PUBLIC_URL, { info: () => {} })
  const metrics = {
    count: (_name: string, { outcome }: Record<string, string>) => {
      counted[String(outcome)] = (counted[String(outcome)] ?? 0) + 1
    },
  }
  const log = { info: () => {}, warn: () => {} }
  const worker = openMailWorker(
    { brand: 'Acme', publicUrl: PUBLIC_URL },
    { pool, sendMail, log, metrics },
  )
  worker.start()
  workers.push(worker)
}

interface MailRow {
  id: string
  attempts: number
  data: Record<string, string>
  due: boolean
  waitSeconds: number | null
  sent: boolean
  error: string | null
}

async function enqueue(
  to: string,
  kind = 'reset_password',
  link = '/reset?token=s',
): Promise<string> {
  const id = newId()
  await pool.query('INSERT INTO mails (id, recipient, kind, data) VALUES ($1, $2, $3, $4)', [
    id,
    to,
    kind,
    { link },
  ])
  return id
}

async function rowOf(id: string): Promise<MailRow> {
  const { rows } = await pool.query<MailRow>(
    `SELECT id, attempts, data, due_at IS NOT NULL AS due, sent_at IS NOT NULL AS sent,
      extract(epoch FROM due_at - now())::float8 AS "waitSeconds", last_error AS error
     FROM mails WHERE id = $1`,
    [id],
  )
  return rows[0] as MailRow
}

async function makeDue(): Promise<void> {
  await pool.query('UPDATE mails SET due_at = now() WHERE due_at IS NOT NULL')
}

/** Waits until the row is as it should be. */
async function rowWhen(id: string, isSo: (row: MailRow) => boolean): Promise<MailRow> {
  return await eventually(async () => {
    const row = await rowOf(id)
    if (!isSo(row)) throw new Error(`the row is ${JSON.stringify(row)}`)
    return row
  })
}

/** Waits until the mail is done, one way or the other. */
function done(id: string): Promise<MailRow> {
  return rowWhen(id, ({ due }) => !due)
}

describe('a mail', () => {
  test('arrives as plain text and HTML, and its link is kept nowhere', async () => {
    const id = await enqueue('ada@example.com')
    startWorker()
    expect(await done(id)).toMatchObject({ sent: true, attempts: 1, data: {}, error: null })
    const [{ recipients, mail }] = server.received as [TestMailServer['received'][number]]
    expect(recipients).toEqual(['ada@example.com'])
    expect(mail.from).toEqual({ name: 'Acme', address: 'mail@hooks.example.com' })
    expect(mail.to).toEqual([{ name: '', address: 'ada@example.com' }])
    expect(mail.subject).toBe('Choose a new password for Acme')
    expect(mail.messageId).toBe(`<${id}@hooks.example.com>`)
    expect(mail.text).toContain('https://hooks.example.com/reset?token=s')
    expect(mail.html).toContain('href="https://hooks.example.com/reset?token=s"')
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  test('with a secret in its data says nothing of it in the log', async () => {
    const lines: string[] = []
    const id = await enqueue('ada@example.com', 'reset_password', '/reset?token=hidden')
    const write = (name: string, fields?: object) => void lines.push(JSON.stringify([name, fields]))
    const worker = openMailWorker(
      { brand: 'Acme', publicUrl: PUBLIC_URL },
      {
        pool,
        sendMail: openMailSender({ SMTP_URL: server.url, MAIL_FROM }, PUBLIC_URL, { info: write }),
        log: { info: write, warn: write },
        metrics: { count: () => {} },
      },
    )
    worker.start()
    workers.push(worker)
    await done(id)
    await eventually(() => lines.length > 0)
    expect(lines.join()).toContain(id)
    expect(lines.join()).not.toMatch(/hidden|ada@/)
  })

  test.each([
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada@example.com,eve@evil.example',
    'ada@example.com;eve@evil.example',
    'Ada <ada@example.com>',
    'ada@example.com\u0001',
    '"ada eve"@example.com',
    'ada@example.com@evil.example',
    `${'a'.repeat(250)}@example.com`,
  ])('to %j reaches nobody', async (to) => {
    const id = await enqueue(to)
    startWorker()
    expect(await done(id)).toMatchObject({ sent: false, data: {} })
    expect(server.received).toEqual([])
    await eventually(() => expect(counted).toEqual({ refused: 1 }))
  })

  test('of a kind that only a newer version knows waits for one', async () => {
    const id = await enqueue('ada@example.com', 'birthday')
    startWorker()
    const row = await rowWhen(id, ({ error }) => error !== null)
    expect(row).toMatchObject({ due: true, attempts: 1, data: { link: '/reset?token=s' } })
  })
})

describe('a server that does not take it', () => {
  test('is tried again, and a minute without it heals by itself', async () => {
    const { port } = server
    await server.close()
    const id = await enqueue('ada@example.com')
    startWorker(`smtp://127.0.0.1:${port}`)
    const failed = await rowWhen(id, ({ error }) => error !== null)
    expect(failed).toMatchObject({ due: true, sent: false, attempts: 1 })
    expect(failed.waitSeconds).toBeGreaterThan(5)
    expect(failed.waitSeconds).toBeLessThan(11)
    server = await startMailServer(port)
    await makeDue()
    expect(await done(id)).toMatchObject({ sent: true, attempts: 2, data: {} })
    expect(server.received).toHaveLength(1)
  })

  test('for now is tried five times, and then no more', async () => {
    server.refuse.text = 451
    const id = await enqueue('ada@example.com')
    startWorker()
    for (const attempts of [1, 2, 3, 4]) {
      const row = await rowWhen(id, (now) => now.attempts === attempts && now.error !== null)
      expect(row.due).toBe(true)
      await pool.query('UPDATE mails SET due_at = now(), last_error = NULL WHERE id = $1', [id])
    }
    expect(await done(id)).toMatchObject({ sent: false, attempts: 5, data: {} })
    await eventually(() => expect(counted).toEqual({ retry: 4, failed: 1 }))
  })

  test('for good is not tried again', async () => {
    server.refuse.recipient = 550
    const id = await enqueue('nobody@example.com')
    startWorker()
    expect(await done(id)).toMatchObject({ sent: false, attempts: 1, data: {} })
    await eventually(() => expect(counted).toEqual({ refused: 1 }))
  })
})

test('several workers send each mail once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 40; n++) ids.push(await enqueue(`user${n}@example.com`))
  startWorker()
  startWorker()
  startWorker()
  for (const id of ids) expect(await done(id)).toMatchObject({ sent: true, attempts: 1 })
  const recipients = server.received.map((one) => one.recipients[0])
  expect(recipients).toHaveLength(40)
  expect(new Set(recipients).size).toBe(40)
})

test('a worker that is killed in mid-send repeats the mail once, under the same id', async () => {
  const id = await enqueue('ada@example.com')
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  server.beforeAnswer = () => promise
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('mail-worker-process.fixture.ts', import.meta.url))],
    { env: { ...process.env, TEST_DATABASE: database.url, TEST_SMTP: server.url } },
  )
  const ended = once(child, 'exit')
  await eventually(() => server.received.length === 1)
  child.kill('SIGKILL')
  await ended
  letGo()
  expect(await rowOf(id)).toMatchObject({ due: true, sent: false, attempts: 1 })

  startWorker()
  await makeDue() // as when its lease ends
  expect(await done(id)).toMatchObject({ sent: true, attempts: 2 })
  expect(server.received.map(({ mail }) => mail.messageId)).toEqual([
    `<${id}@hooks.example.com>`,
    `<${id}@hooks.example.com>`,
  ])
})

test('a worker that comes back after its lease changes nothing', async () => {
  const id = await enqueue('ada@example.com')
  let answers = 0
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  server.beforeAnswer = () => (++answers === 1 ? promise : Promise.resolve())
  server.refuse.text = 0
  startWorker()
  await eventually(() => server.received.length === 1)
  await makeDue()
  startWorker()
  expect(await done(id)).toMatchObject({ sent: true, attempts: 2 })
  server.refuse.text = 451
  letGo()
  await eventually(() => (counted['retry'] ?? 0) === 1)
  expect(await rowOf(id)).toMatchObject({ due: false, sent: true, attempts: 2 })
})

test('a row is removed after seven days, sent or not', async () => {
  const [old, waiting, young] = [
    await enqueueSent('ada@example.com'),
    await enqueue('eve@example.com'),
    await enqueueSent('bob@example.com'),
  ]
  await pool.query(
    `UPDATE mails SET created_at = now() - interval '8 days',
      due_at = CASE WHEN id = $2 THEN now() + interval '1 hour' END WHERE id IN ($1, $2)`,
    [old, waiting],
  )
  startWorker()
  await eventually(async () => (await rowOf(old)) === undefined)
  expect(await rowOf(waiting)).toBeUndefined()
  expect(await rowOf(young)).toBeDefined()
})
async function enqueueSent(to: string): Promise<string> {
  const id = await enqueue(to)
  await pool.query(
    `UPDATE mails SET due_at = NULL, sent_at = now() - interval '61 minutes',
      created_at = now() - interval '61 minutes' WHERE id = $1`,
    [id],
  )
  return id
}
