/** An event is a row of the caller's transaction, whichever way the caller reaches Postgres. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openPrisma } from '@posthorn/store/prisma'
import { eventually } from '@posthorn/testing/eventually'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { CreateEvent } from '../generated/types.ts'
import { openOutbox, type TestOutbox } from './outbox.fixture.ts'
import { fromDrizzle, type OutboxTransaction, publish } from './publish.ts'
import { channelOf, createOutboxTable } from './table.ts'

let outbox: TestOutbox
let prisma: ReturnType<typeof openPrisma>
beforeAll(async () => {
  outbox = await openOutbox()
  prisma = openPrisma(outbox.url, 2)
})
afterAll(async () => {
  await prisma?.$disconnect()
  await outbox?.close()
})
beforeEach(async () => {
  await outbox.pool.query('TRUNCATE posthorn_outbox')
})

type InTransaction = (work: (tx: OutboxTransaction) => Promise<void>) => Promise<unknown>

const inPg: InTransaction = async (work) => {
  const tx = await outbox.pool.connect()
  try {
    await tx.query('BEGIN')
    await work(tx)
    await tx.query('COMMIT')
  } catch (error) {
    await tx.query('ROLLBACK')
    throw error
  } finally {
    tx.release()
  }
}
const inPrisma: InTransaction = (work) => prisma.$transaction(work)
const inDrizzle: InTransaction = (work) =>
  drizzle(outbox.pool).transaction((tx) => work(fromDrizzle(tx, sql)))

const event: CreateEvent = {
  eventType: 'order.paid',
  payload: { text: "'; $1 \\ \u0000 ✓ 💥", nested: { $2: ['$3', null] } },
}

test.each([
  ['pg', inPg],
  ['Prisma', inPrisma],
  ['Drizzle', inDrizzle],
])('%s: the row is there once the transaction is committed, and only then', async (_, begin) => {
  const options = { orderingKey: 'o 1', idempotencyKey: 'k1', projectId: 'p1' }
  await begin(async (tx) => {
    await publish(tx, event, options)
    await publish(tx, event)
    // A second row of the key that waits already.
    await publish(tx, { ...event, payload: {} }, options)
  })
  await expect(
    begin(async (tx) => {
      await publish(tx, event, { orderingKey: 'o 1' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  const { rows } = await outbox.pool.query('SELECT * FROM posthorn_outbox ORDER BY id')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    idempotency_key: 'k1',
    ordering_key: 'o 1',
    scope: '{"projectId":"p1"}',
    event: JSON.stringify(event),
  })
  expect(rows[1]).toMatchObject({
    idempotency_key: expect.stringMatching(/^outbox:[0-9a-f-]{36}$/),
    ordering_key: null,
  })
})

test('what is no transaction is refused', async () => {
  const message = 'publish needs the transaction'
  await expect(publish(outbox.pool, event)).rejects.toThrow(message)
  await expect(publish(prisma, event)).rejects.toThrow(message)
  const db = drizzle(outbox.pool)
  expect(() => fromDrizzle(db as never, sql)).toThrow(message)
  expect((await outbox.counts()).waiting).toBe(0)
})

test('what the API would refuse for sure is refused before the transaction is touched', async () => {
  const tx = { query: () => Promise.reject(new Error('was touched')) }
  const wrong: [unknown, object, string][] = [
    [{ payload: {} }, {}, 'either an eventType or a destination'],
    [{ payload: {}, eventType: 'a', destination: 'https://a.example' }, {}, 'either'],
    [{ payload: [], eventType: 'a' }, {}, 'payload'],
    [{ payload: null, eventType: 'a' }, {}, 'payload'],
    [event, { idempotencyKey: '' }, 'idempotencyKey'],
    [event, { idempotencyKey: 'ü' }, 'idempotencyKey'],
    [event, { table: 'outbox; DROP TABLE a' }, 'cannot be the outbox'],
  ]
  for (const [one, options, message] of wrong)
    await expect(publish(tx, one as CreateEvent, options)).rejects.toThrow(message)
  await expect(publish(tx, event)).rejects.toThrow('was touched')
})

test('transactions of one ordering key wait for each other, so ids follow commits', async () => {
  const [first, second] = [await outbox.pool.connect(), await outbox.pool.connect()]
  await first.query('BEGIN')
  await second.query('BEGIN')
  await publish(first, event, { orderingKey: 'o1', idempotencyKey: 'first' })
  await publish(second, event, { orderingKey: 'other', idempotencyKey: 'other' })
  const published = publish(second, event, { orderingKey: 'o1', idempotencyKey: 'second' })
  await eventually(async () => {
    const { rows } = await outbox.pool.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
    )
    return rows.length === 1
  })
  await publish(first, event, { orderingKey: 'o1', idempotencyKey: 'first again' })
  await first.query('COMMIT')
  await published
  await second.query('COMMIT')
  first.release()
  second.release()
  const { rows } = await outbox.pool.query(
    `SELECT idempotency_key FROM posthorn_outbox WHERE ordering_key = 'o1' ORDER BY id`,
  )
  expect(rows.map((row) => row.idempotency_key)).toEqual(['first', 'first again', 'second'])
})

test('each table wakes its own relays and has its own indexes, however its name is cut', async () => {
  const long = 'outbox_of_the_department_that_sells_what_the_other_one_has_'
  const tables = [
    `${long}ma`,
    `${long}mb`,
    `a${'1'.repeat(62)}`,
    `b${'1'.repeat(62)}`,
    's1234567890123456789.t1234567890123456789012345678901234567890123',
    's0234567890123456789.t1234567890123456789012345678901234567890123',
    'north.a_b',
    'north_a.b',
    'north_a_b',
    'public.north_a_b_',
  ]
  const channels = tables.map(channelOf)
  expect(new Set(channels).size).toBe(tables.length)
  for (const schema of new Set(tables.filter((one) => one.includes('.'))))
    await outbox.pool.query(`CREATE SCHEMA IF NOT EXISTS ${schema.split('.')[0]}`)
  const relay = await outbox.pool.connect()
  try {
    const heard: string[] = []
    relay.on('notification', ({ channel }) => heard.push(channel))
    for (const [n, table] of tables.entries()) {
      // Again, as a migration that is repeated.
      await outbox.pool.query(createOutboxTable(table))
      await outbox.pool.query(createOutboxTable(table))
      await relay.query(`LISTEN ${channels[n]}`)
      // Two of one key: its index is there.
      await outbox.publish(event, { table, idempotencyKey: 'k' })
      await outbox.publish(event, { table, idempotencyKey: 'k' })
    }
    await eventually(() => heard.length === tables.length)
    expect(heard).toEqual(channels)
    const { rows } = await outbox.pool.query(
      `SELECT count(*)::int AS indexes FROM pg_indexes
       WHERE schemaname || '.' || tablename = ANY ($1) GROUP BY schemaname, tablename`,
      [tables.map((table) => (table.includes('.') ? table : `public.${table}`))],
    )
    expect(rows).toEqual(tables.map(() => ({ indexes: 4 })))
  } finally {
    relay.release(true)
  }
})

test('the table may have another name, in a schema', async () => {
  await outbox.pool.query('CREATE SCHEMA shop')
  await outbox.pool.query(createOutboxTable('shop.outbox'))
  await outbox.publish(event, { table: 'shop.outbox', orderingKey: 'o1' })
  const { rows } = await outbox.pool.query('SELECT event FROM shop.outbox')
  expect(rows).toEqual([{ event: JSON.stringify(event) }])
})
