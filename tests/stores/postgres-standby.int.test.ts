/** A standby that is promoted under load: nothing that was answered 201 is lost. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { diagnosePostgres } from '@posthorn/store/diagnose-postgres'
import { eventually } from '@posthorn/testing/eventually'
import { openPostgresLink, type PostgresLink } from '@posthorn/testing/postgres-link'
import { startReceiver, type Receiver } from '@posthorn/testing/receiver'
import { type Posthorn, startPosthorn } from '../e2e/posthorn.ts'
import { type PostgresPair, promote, startPostgresPair } from './postgres-servers.ts'

let pair: PostgresPair
let link: PostgresLink
let receiver: Receiver
let posthorn: Posthorn
beforeAll(async () => {
  pair = await startPostgresPair()
  link = await openPostgresLink(new URL(pair.primary.url))
  receiver = await startReceiver()
  posthorn = await startPosthorn('standalone', { DATABASE_URL: link.url })
}, 180_000)
afterAll(async () => {
  await posthorn.stop()
  await receiver.close()
  link.cut()
  await link.close()
  await pair.stop()
})

test('a standby is told from a primary', async () => {
  const findings = await diagnosePostgres({ url: pair.standby.url }, Date.now)
  const wrong = findings.filter(({ level }) => level === 'wrong').map(({ text }) => text)
  expect(wrong).toEqual([expect.stringContaining('it is a standby')])
})

test('every event that was answered 201 is delivered by the promoted standby', async () => {
  const accepted: number[] = []
  let sent = 0
  let refused = 0
  let isDone = false
  async function sendOn(): Promise<void> {
    while (!isDone) {
      const number = (sent += 1)
      const event = { destination: receiver.url, payload: { number } }
      const key = { 'X-Idempotency-Key': randomUUID() }
      const answer = await posthorn.call('POST', '/api/v1/events', event, key)
      if (answer.status === 201) accepted.push(number)
      else refused += 1
    }
  }
  const senders = Array.from({ length: 4 }, sendOn)
  let before = 0
  try {
    await eventually(() => accepted.length > 100)
    await pair.primary.kill()
    link.cut()
    await eventually(() => refused > 0)
    before = accepted.length
    await promote(pair)
    link.lead(new URL(pair.standby.url))
    link.repair()
    await eventually(() => accepted.length > before + 100, { timeoutMs: 60_000 })
  } finally {
    isDone = true
    await Promise.all(senders)
  }
  await eventually(
    () => {
      const arrived = new Set(receiver.requests.map(({ rawBody }) => String(rawBody)))
      const missing = accepted.filter((number) => !arrived.has(JSON.stringify({ number })))
      if (missing.length > 0) throw new Error(`${missing.length} of ${accepted.length} are missing`)
      return true
    },
    { timeoutMs: 60_000 },
  )
  expect(before).toBeGreaterThan(100)
}, 240_000)
