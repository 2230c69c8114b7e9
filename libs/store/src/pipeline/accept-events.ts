/**
 * Accepting: many events in one statement, each with its idempotency key, its row in `due`, and,
 * when it is direct, its delivery. What the statement returns is durable; only then is an event
 * answered 201.
 */
import type { Pool } from '../pool.ts'
import { withRetries, storable } from '../repeat.ts'
import type { TransactionClient } from '../transaction.ts'
import { acceptStatement, type NewEvent } from './sql/accept.ts'
import { byKey } from './sql/by-key.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

export type { NewEvent } from './sql/accept.ts'

export type AcceptOutcome =
  | { outcome: 'accepted'; seq: number; token: number }
  | { outcome: 'duplicate'; eventId: string }

type AllAccepted =
  | { outcome: 'accepted'; events: AcceptOutcome[] }
  | { outcome: 'duplicates'; keys: string[] }

/**
 * Answers one outcome per event, in their order. When two calls at once have events with the same
 * key, exactly one of these is accepted; within one call it is the first.
 */
export async function acceptEvents(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<AcceptOutcome[]> {
  return await withRetries(() => acceptOnce(client, events))
}

/** For use within a transaction, where an error has aborted all of it. */
export async function acceptOnce(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<AcceptOutcome[]> {
  const { rows } = await client.query<{ id: string; seq: number; token: number }>(
    acceptStatement(events),
  )
  const accepted = new Map(rows.map((row) => [row.id, row]))
  const duplicates = events.filter((event) => !accepted.has(event.id))
  const first =
    duplicates.length === 0 ? new Map<string, string>() : await firstEvents(client, duplicates)
  return events.map((event) => {
    const row = accepted.get(event.id)
    if (row !== undefined) return { outcome: 'accepted', seq: row.seq, token: row.token }
    const eventId = first.get(keyOf(event.tenantId, storable(event.idempotencyKey)))
    // '': its key has just gone with its event.
    return { outcome: 'duplicate', eventId: eventId ?? '' }
  })
}

/**
 * A transaction of its own that is rolled back when any of the keys is taken: all events or none.
 */
export async function acceptAllEvents(
  pool: Pool,
  events: readonly NewEvent[],
): Promise<AllAccepted> {
  // The whole transaction is repeated: an error within has aborted it.
  return await withRetries(() => acceptInTransaction(pool, events))
}

async function acceptInTransaction(pool: Pool, events: readonly NewEvent[]): Promise<AllAccepted> {
  const client = await pool.connect()
  let broken: unknown
  try {
    await client.query('BEGIN')
    const outcomes: AcceptOutcome[] = []
    for (const some of bySize(events)) outcomes.push(...(await acceptOnce(client, some)))
    const keys = events
      .filter((_, index) => outcomes[index]?.outcome === 'duplicate')
      .map((event) => event.idempotencyKey)
    await client.query(keys.length > 0 ? 'ROLLBACK' : 'COMMIT')
    return keys.length > 0
      ? { outcome: 'duplicates', keys }
      : { outcome: 'accepted', events: outcomes }
  } catch (error) {
    broken = error
    throw error
  } finally {
    // After an error the connection is closed: its transaction is aborted or its state unknown.
    client.release(broken !== undefined)
  }
}

/** In characters of payloads: the values of one statement are put together in some 5 ms. */
const MAX_STATEMENT_SIZE = 512 * 1024

function* bySize(events: readonly NewEvent[]): Generator<NewEvent[]> {
  let some: NewEvent[] = []
  let size = 0
  for (const event of events) {
    if (some.length > 0 && size + event.payload.length > MAX_STATEMENT_SIZE) {
      yield some
      some = []
      size = 0
    }
    some.push(event)
    size += event.payload.length
  }
  if (some.length > 0) yield some
}

async function firstEvents(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ tenant_id: string; key: string; event_id: string }>({
    name: 'first-events',
    text: `SELECT k.tenant_id, k.key, k.event_id FROM idempotency_keys k
      JOIN unnest($1::uuid[], $2::text[]) AS i (tenant_id, key)
        ON ${byKey('k', { tenant_id: 'i.tenant_id', key: 'i.key' })}
      WHERE ${selectivityHint('i.key')}`,
    values: [
      events.map((event) => event.tenantId),
      events.map((event) => storable(event.idempotencyKey)),
    ],
  })
  return new Map(rows.map((row) => [keyOf(row.tenant_id, row.key), row.event_id]))
}

function keyOf(tenantId: string, key: string): string {
  return `${tenantId} ${key}`
}
