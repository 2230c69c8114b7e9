/** What the tests of the outbox share: an API that keeps keys, and a database with the table. */
import { createTestDatabase } from '@posthorn/testing/databases'
import { Pool } from 'pg'
import { PosthornApiError } from '../errors.ts'
import type { BatchCreated, CreateBatch, CreateEvent, EventCreated } from '../generated/types.ts'
import type { RequestOptions } from '../request.ts'
import type { OutboxClient } from './post.ts'
import { type PublishOptions, publish } from './publish.ts'
import { createOutboxTable } from './table.ts'

export interface AcceptedEvent {
  key: string
  event: Omit<CreateEvent, 'priority'>
  options: RequestOptions
}

export interface TestApi {
  client: OutboxClient
  accepted: AcceptedEvent[]
  /** The number of events of each post, and their bytes. */
  posts: { events: number; bytes: number }[]
  /** Throws what the API answers; called before anything is accepted. */
  before(event: CreateEvent, options: RequestOptions): Promise<void> | void
  /** Throws where the answer is lost. */
  after(): void
}

export function refusal(status: number, code: string, details?: unknown): PosthornApiError {
  const fields = { status, code, details, requestId: undefined, retryAfterMs: undefined }
  return new PosthornApiError(`${code} of the test`, fields)
}

export function createTestApi(): TestApi {
  const api: TestApi = {
    accepted: [],
    posts: [],
    before: () => {},
    after: () => {},
    client: { events: { create, createBatch } },
  }
  const isUsed = (key: string): boolean => api.accepted.some((one) => one.key === key)

  async function create(event: CreateEvent, options: RequestOptions = {}): Promise<EventCreated> {
    const key = options.idempotencyKey as string
    api.posts.push({ events: 1, bytes: JSON.stringify(event).length })
    await api.before(event, options)
    if (isUsed(key)) throw refusal(409, 'CONFLICT', { eventId: `event of ${key}` })
    api.accepted.push({ key, event, options })
    api.after()
    return {} as EventCreated
  }
  async function createBatch(
    { events }: CreateBatch,
    options: RequestOptions = {},
  ): Promise<BatchCreated> {
    api.posts.push({ events: events.length, bytes: JSON.stringify(events).length })
    for (const { idempotencyKey: _, ...event } of events) await api.before(event, options)
    const used = events.flatMap(({ idempotencyKey }, n) =>
      isUsed(idempotencyKey)
        ? [{ path: `events.${n}.idempotencyKey`, message: 'is used already' }]
        : [],
    )
    if (used.length > 0) throw refusal(409, 'DUPLICATE_EVENT', used)
    for (const { idempotencyKey: key, ...event } of events)
      api.accepted.push({ key, event, options })
    api.after()
    return {} as BatchCreated
  }
  return api
}

export interface TestOutbox {
  url: string
  pool: Pool
  /** In a transaction of its own, which is committed. */
  publish(event: CreateEvent, options?: PublishOptions): Promise<string>
  /** Rows that wait, and those that were set aside. */
  counts(): Promise<{ waiting: number; rejected: number }>
  /** Everything that waits is due now. */
  makeDue(): Promise<void>
  close(): Promise<void>
}

export async function openOutbox(): Promise<TestOutbox> {
  const database = await createTestDatabase()
  const pool = new Pool({ connectionString: database.url, max: 10 })
  pool.on('error', () => {})
  // Twice: a migration may be repeated.
  await pool.query(createOutboxTable())
  await pool.query(createOutboxTable())
  return {
    url: database.url,
    pool,
    async publish(event, options) {
      const tx = await pool.connect()
      await tx.query('BEGIN')
      const { idempotencyKey } = await publish(tx, event, options)
      await tx.query('COMMIT')
      tx.release()
      return idempotencyKey
    },
    async counts() {
      const { rows } = await pool.query(`SELECT
        count(*) FILTER (WHERE rejected_at IS NULL)::int AS waiting,
        count(*) FILTER (WHERE rejected_at IS NOT NULL)::int AS rejected FROM posthorn_outbox`)
      return rows[0]
    },
    async makeDue() {
      await pool.query('UPDATE posthorn_outbox SET due_at = now()')
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}
