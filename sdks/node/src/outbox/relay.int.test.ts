/** The relay against an API that fails in every way, on a real Postgres. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { PosthornConnectionError } from '../errors.ts'
import type { CreateEvent } from '../generated/types.ts'
import { readmeBlocks } from '../readme.fixture.ts'
import {
  createTestApi,
  openOutbox,
  refusal,
  type TestApi,
  type TestOutbox,
} from './outbox.fixture.ts'
import { publish } from './publish.ts'
import { createRelay, type OutboxRelay, type RelayOptions } from './relay.ts'
import { createRows } from './rows.ts'
import type { RejectedOutboxEvent } from './send-due.ts'

let outbox: TestOutbox
let api: TestApi
let errors: Error[]
let rejected: RejectedOutboxEvent[]
let relays: OutboxRelay[]
beforeAll(async () => {
  outbox = await openOutbox()
})
afterAll(async () => await outbox?.close())
beforeEach(() => {
  ;[api, errors, rejected, relays] = [createTestApi(), [], [], []]
})
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  await outbox.pool.query('TRUNCATE posthorn_outbox')
})

function newRelay(options: Partial<RelayOptions> = {}): OutboxRelay {
  const relay = createRelay({
    pool: outbox.pool,
    posthorn: api.client,
    listen: false,
    onError: (error) => errors.push(error),
    onRejected: (event) => rejected.push(event),
    ...options,
  })
  relays.push(relay)
  return relay
}

const typed = (n: number): CreateEvent => ({ eventType: 'order.paid', payload: { n } })
const direct = (n: number, more: object = {}): CreateEvent => ({
  destination: 'https://shop.example/hook',
  payload: { n, ...more },
})
const numbers = (): unknown[] => api.accepted.map(({ event }) => event.payload['n'])
const sorted = (): unknown[] => numbers().toSorted((a, b) => Number(a) - Number(b))
const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at)

/** Fast: what it writes is what `publish` writes. */
async function publishAll(count: number, event: (n: number) => CreateEvent): Promise<void> {
  const tx = await outbox.pool.connect()
  await tx.query('BEGIN')
  for (const n of upTo(count)) await publish(tx, event(n), { idempotencyKey: `k${n}` })
  await tx.query('COMMIT')
  tx.release()
}

test('direct events go in batches of one scope, what a batch cannot hold alone', async () => {
  await publishAll(130, direct)
  await outbox.publish(direct(130), { subAccountId: 'sub' })
  await outbox.publish(direct(131), { subAccountId: 'sub' })
  await outbox.publish({ ...direct(132), delaySeconds: 5 })
  await outbox.publish({ ...direct(133), priority: 9 })
  await outbox.publish(direct(134), { orderingKey: 'o1' })
  await outbox.publish(typed(135), { projectId: 'p1' })
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(136))
  expect(api.posts.map(({ events }) => events).toSorted((a, b) => b - a)).toEqual([
    100, 30, 2, 1, 1, 1, 1,
  ])
  const scoped = api.accepted.filter(({ options }) => options.subAccountId === 'sub')
  expect(scoped.map(({ event }) => event.payload['n']).toSorted()).toEqual([130, 131])
  expect(api.accepted.find(({ options }) => options.projectId === 'p1')?.event).toEqual(typed(135))
  expect(await outbox.counts()).toEqual({ waiting: 0, rejected: 0 })
})

test('an answer that was lost: the same key finds what was made, in a batch too', async () => {
  await publishAll(5, (n) => (n < 3 ? direct(n) : typed(n)))
  api.after = () => {
    throw new PosthornConnectionError('the answer was lost')
  }
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(5))
  expect((await outbox.counts()).waiting).toBe(5)

  api.after = () => {}
  await publishAll(7, (n) => (n < 3 || n > 4 ? direct(n) : typed(n)))
  await outbox.makeDue()
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(7))
  expect(await outbox.counts()).toEqual({ waiting: 0, rejected: 0 })
})

test('what the API rejects is set aside with the reason, and stops nothing', async () => {
  api.before = (event) => {
    const n = Number(event.payload['n'])
    if (n === 3) throw refusal(400, 'VALIDATION_ERROR', [{ path: 'payload.n', message: 'odd' }])
    if (n === 11) throw refusal(413, 'HTTP_413')
    if (n === 12) throw refusal(404, 'NOT_FOUND')
  }
  await publishAll(10, direct)
  await outbox.publish(typed(10), { orderingKey: 'o1' })
  await outbox.publish(typed(11), { orderingKey: 'o1' })
  await outbox.publish(typed(12), { subAccountId: 'gone' })
  await outbox.publish(typed(13), { orderingKey: 'o1' })
  await newRelay().flush()
  expect(sorted()).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 13])
  expect(await outbox.counts()).toEqual({ waiting: 0, rejected: 3 })
  expect(rejected.map(({ rejection }) => rejection.code).toSorted()).toEqual([
    'HTTP_413',
    'NOT_FOUND',
    'VALIDATION_ERROR',
  ])
  const { rows } = await outbox.pool.query(
    `SELECT rejection::json ->> 'code' AS code, rejection::json ->> 'message' AS message,
     rejection::json #>> '{details,0,path}' AS path
     FROM posthorn_outbox WHERE idempotency_key = 'k3'`,
  )
  expect(rows).toEqual([
    { code: 'VALIDATION_ERROR', message: 'VALIDATION_ERROR of the test', path: 'payload.n' },
  ])

  // As the README says: once the cause is gone they are sent again.
  api.before = () => {}
  for (const statement of await readmeBlocks('sql')) await outbox.pool.query(statement)
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(14))
})

test('a row that nobody can read is set aside', async () => {
  const insert = `INSERT INTO posthorn_outbox (idempotency_key, ordering_key, scope, event)
    VALUES ($1, $2, $3, $4)`
  await outbox.pool.query(insert, ['k1', null, '{}', 'no JSON'])
  await outbox.pool.query(insert, ['k2', 'o1', '{}', '[]'])
  await outbox.pool.query(insert, ['k3', 'o1', 'null', '{}'])
  await outbox.publish(typed(1), { orderingKey: 'o1' })
  await newRelay().flush()
  expect(numbers()).toEqual([1])
  expect(rejected.map(({ rejection }) => rejection.code)).toEqual(
    Array<string>(3).fill('UNREADABLE'),
  )
})

test('an event that the API cannot take waits by itself, and with it its ordering key', async () => {
  api.before = (event) => {
    if (event.payload['n'] === 1) throw refusal(500, 'INTERNAL')
  }
  await outbox.publish(typed(0), { orderingKey: 'o1' })
  await outbox.publish(typed(1), { orderingKey: 'o1' })
  await outbox.publish(typed(2), { orderingKey: 'o1' })
  await outbox.publish(typed(3), { orderingKey: 'o2' })
  await outbox.publish(typed(4))
  await newRelay().flush()
  expect(sorted()).toEqual([0, 3, 4])
  expect(errors.map(({ message }) => message)).toEqual(['INTERNAL of the test'])
  api.before = () => {}
  await outbox.pool.query(
    `UPDATE posthorn_outbox SET due_at = now() + interval '1 h' WHERE attempts = 1`,
  )
  await newRelay().flush()
  // It is not due, so what follows it is not sent either.
  expect(sorted()).toEqual([0, 3, 4])
  await outbox.makeDue()
  await newRelay().flush()
  expect(numbers().slice(-2)).toEqual([1, 2])
})

test.each([
  ['nobody answers', () => new PosthornConnectionError('refused')],
  ['the key is none', () => refusal(401, 'UNAUTHORIZED')],
  ['the quota is used up', () => refusal(402, 'QUOTA_EXCEEDED')],
  ['a proxy answers', () => refusal(400, 'HTTP_400')],
  ['it is overloaded', () => refusal(503, 'UNAVAILABLE')],
])('%s: nothing is set aside, and not every event is tried', async (_, error) => {
  api.before = () => {
    throw error()
  }
  await publishAll(150, typed)
  await newRelay({ concurrency: 4 }).flush()
  expect(await outbox.counts()).toEqual({ waiting: 150, rejected: 0 })
  expect(api.posts.length).toBeLessThanOrEqual(8)
  expect(errors).toHaveLength(1)
  const started = newRelay()
  api.before = () => {}
  await outbox.makeDue()
  started.start()
  await eventually(async () => (await outbox.counts()).waiting === 0)
  expect(sorted()).toEqual(upTo(150))
})

test('several relays: each event once, and ordering keys in order, whatever fails', async () => {
  let calls = 0
  api.before = async () => {
    calls += 1
    await new Promise((done) => setImmediate(done))
    if (calls % 17 === 0) throw refusal(500, 'INTERNAL')
    if (calls % 41 === 0) throw new PosthornConnectionError('reset')
  }
  api.after = () => {
    if (calls % 13 === 0) throw new PosthornConnectionError('the answer was lost')
  }
  for (let n = 0; n < 3; n += 1) newRelay({ pollMs: 20, leaseMs: 2_000, listen: true }).start()
  await Promise.all(
    upTo(8).map(async (key) => {
      for (let n = 0; n < 25; n += 1) {
        await outbox.publish(typed(n), { orderingKey: `o${key}`, projectId: `${key}` })
        await outbox.publish(direct(1_000 + key))
      }
    }),
  )
  await eventually(
    async () => {
      // Back-offs grow, and are not what this is about.
      await outbox.pool.query(
        `UPDATE posthorn_outbox SET due_at = now(), attempts = 0
         WHERE due_at > now() + interval '2 s'`,
      )
      return (await outbox.counts()).waiting === 0
    },
    { timeoutMs: 50_000, everyMs: 200 },
  )
  expect(new Set(api.accepted.map(({ key }) => key)).size).toBe(400)
  expect(api.accepted).toHaveLength(400)
  for (const key of upTo(8)) {
    const ofKey = api.accepted.filter(({ options }) => options.projectId === `${key}`)
    expect(ofKey.map(({ event }) => event.payload['n'])).toEqual(upTo(25))
  }
})

test('a transaction that began early and is committed late loses nothing', async () => {
  const long = await outbox.pool.connect()
  await long.query('BEGIN')
  await publish(long, typed(0))
  await outbox.publish(typed(1))
  const relay = newRelay()
  await relay.flush()
  expect(numbers()).toEqual([1])
  await long.query('COMMIT')
  long.release()
  await relay.flush()
  expect(numbers()).toEqual([1, 0])
})

test('a commit wakes it, also after its connection was cut', async () => {
  newRelay({ listen: true, pollMs: 3_600_000 }).start()
  await outbox.publish(typed(0))
  await eventually(() => numbers().length === 1)
  await eventually(async () => {
    const { rows } = await outbox.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN posthorn_outbox'`,
    )
    return rows.length === 1
  })
  await outbox.publish(typed(1))
  await eventually(() => numbers().length === 2)
  expect(errors).toHaveLength(1)
  await outbox.publish(typed(2))
  await eventually(() => numbers().length === 3)
})

test('without a connection of its own it looks by itself', async () => {
  const query = (text: string, values: unknown[]) => outbox.pool.query(text, values)
  newRelay({ pool: { query }, listen: true, pollMs: 10 }).start()
  await outbox.publish(typed(0))
  await eventually(() => numbers().length === 1)
})

test('a database that is gone for a while is asked again', async () => {
  let isGone = true
  const query = async (text: string, values: unknown[]) => {
    if (isGone) throw new Error('the database is gone')
    return await outbox.pool.query(text, values)
  }
  newRelay({ pool: { query }, pollMs: 10 }).start()
  await outbox.publish(typed(0))
  await eventually(() => errors.length > 0)
  isGone = false
  await eventually(() => numbers().length === 1)
})

test('the events of a relay that died are taken by another once their lease ends', async () => {
  await outbox.publish(typed(0))
  await outbox.publish(typed(1), { orderingKey: 'o1' })
  const config = {
    table: 'posthorn_outbox',
    leaseMs: 3_600_000,
    uncertainAfterMs: null,
    maxBytes: 1e6,
  }
  const dead = createRows(outbox.pool, config)
  const taken = [...(await dead.takeUnordered(9)), ...(await dead.takeHeads(9))]
  expect(taken).toHaveLength(2)
  await newRelay().flush()
  expect(numbers()).toEqual([])
  await outbox.makeDue()
  await newRelay().flush()
  expect(sorted()).toEqual([0, 1])
})

test('an event that was first sent long ago is set aside where that is asked for', async () => {
  await outbox.publish(typed(0))
  await outbox.publish(typed(1))
  await outbox.pool.query(
    `UPDATE posthorn_outbox SET first_sent_at = now() - interval '25 h' WHERE event LIKE '%0%'`,
  )
  await newRelay({ uncertainAfterMs: 86_400_000 }).flush()
  expect(numbers()).toEqual([1])
  expect(rejected.map(({ rejection }) => rejection.code)).toEqual(['UNCERTAIN'])
  await outbox.pool.query('UPDATE posthorn_outbox SET rejected_at = NULL, due_at = now()')
  await newRelay().flush()
  expect(numbers()).toEqual([1, 0])
})

test('large events are taken a few at a time', async () => {
  const text = 'x'.repeat(1_500_000)
  await publishAll(7, (n) => direct(n, { text }))
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(7))
  expect(Math.max(...api.posts.map(({ bytes }) => bytes))).toBeLessThan(4.2e6 + 1.6e6)
  expect(api.posts.length).toBeGreaterThan(2)
})

test('it stops in the middle: what is posted is ended, the rest is left to others', async () => {
  await publishAll(60, typed)
  let begun = 0
  let goOn = (): void => {}
  const gate = new Promise<void>((done) => (goOn = done))
  api.before = async () => {
    begun += 1
    await gate
  }
  const relay = newRelay({ concurrency: 5 })
  relay.start()
  await eventually(() => begun === 5)
  const stopped = relay.stop()
  goOn()
  await stopped
  expect(numbers()).toHaveLength(5)
  await newRelay().flush()
  expect(sorted()).toEqual(upTo(60))
  expect(() => relay.start()).toThrow(TypeError)
})

test('options that cannot be are refused', () => {
  for (const wrong of [{ concurrency: 0 }, { leaseMs: 5 }, { table: 'A"' }])
    expect(() => newRelay(wrong)).toThrow(TypeError)
})
