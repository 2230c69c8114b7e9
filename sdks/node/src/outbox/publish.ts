/**
 * Writes an event into the outbox, in the transaction of the caller: it is sent if, and only if,
 * that transaction is committed. Nothing is sent here.
 */
import type { CreateEvent } from '../generated/types.ts'
import { channelOf, checkedTable, DEFAULT_TABLE } from './table.ts'

/** A client of pg that has begun a transaction. */
export interface PgTransaction {
  query(text: string, values: unknown[]): PromiseLike<unknown>
}

/** What `prisma.$transaction(async (tx) => …)` gives. */
export interface PrismaTransaction {
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<number>
}

export type OutboxTransaction = PgTransaction | PrismaTransaction

export interface PublishOptions {
  /**
   * Events of one key are accepted in the order in which they were published. Transactions that
   * publish with one key wait for each other, from the first `publish` to their end.
   */
  orderingKey?: string
  /** Made here where it is not given. A key that waits in the outbox already is not written again. */
  idempotencyKey?: string
  projectId?: string
  subAccountId?: string
  /** Default: `posthorn_outbox`. */
  table?: string
}

/** @throws TypeError before anything is written, where the API would refuse the event for sure */
export async function publish(
  tx: OutboxTransaction,
  event: CreateEvent,
  options: PublishOptions = {},
): Promise<{ idempotencyKey: string }> {
  const { idempotencyKey = `outbox:${crypto.randomUUID()}`, orderingKey = null } = options
  requireKey(idempotencyKey)
  requireEvent(event)
  const { projectId, subAccountId, table = DEFAULT_TABLE } = options
  const scope = JSON.stringify({ projectId, subAccountId })
  const values = [idempotencyKey, orderingKey, scope, JSON.stringify(event)]
  const text = insertInto(checkedTable(table))
  if (isPrisma(tx)) {
    requireTransaction(!has(tx, '$connect'), 'prisma.$transaction(async (tx) => …)')
    await tx.$executeRawUnsafe(text, ...values)
  } else {
    requireTransaction(!('totalCount' in tx), 'const tx = await pool.connect()')
    await tx.query(text, values)
  }
  return { idempotencyKey }
}

/**
 * A transaction of Drizzle for `publish`.
 * @param sql the function of that name of `drizzle-orm`
 */
export function fromDrizzle<Query>(
  tx: { execute(query: Query): PromiseLike<unknown>; rollback(): unknown },
  sql: (parts: TemplateStringsArray, ...values: unknown[]) => Query,
): PgTransaction {
  requireTransaction(typeof tx.rollback === 'function', 'db.transaction(async (tx) => …)')
  return {
    async query(text, values) {
      // Every second part is the number of a value.
      const parts = text.split(/\$(\d)/)
      const texts = parts.filter((_, n) => n % 2 === 0)
      const used = parts.filter((_, n) => n % 2 === 1).map((n) => values[Number(n) - 1])
      return await tx.execute(sql(Object.assign(texts, { raw: texts }), ...used))
    },
  }
}

/** The first half of the advisory locks of ordering keys, which tells them from others: "post". */
const LOCK = 0x706f7374

/**
 * The lock of an ordering key is taken before the row gets its id and is kept until the end of the
 * transaction. So the ids of one key are in the order of the commits, and who sees a row sees all
 * rows of its key before it.
 */
function insertInto(table: string): string {
  return `WITH turn AS MATERIALIZED (
  SELECT CASE WHEN $2::text IS NOT NULL
    THEN pg_advisory_xact_lock(${LOCK}, hashtext($2::text))::text END
)
INSERT INTO ${table} (idempotency_key, ordering_key, scope, event)
SELECT $1::text, $2::text, $3::text, $4::text FROM turn
ON CONFLICT (idempotency_key) WHERE rejected_at IS NULL DO NOTHING
RETURNING pg_notify('${channelOf(table)}', '')::text`
}

function isPrisma(tx: OutboxTransaction): tx is PrismaTransaction {
  return has(tx, '$executeRawUnsafe')
}

/** Prisma's client is a proxy, which does not tell by `in` what it has. */
function has(client: object, method: string): boolean {
  return typeof (client as Record<string, unknown>)[method] === 'function'
}

function requireTransaction(isOne: boolean, example: string): void {
  if (!isOne)
    throw new TypeError(`publish needs the transaction that the event is a part of: ${example}`)
}

function requireKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters')
}

function requireEvent({ destination, eventType, payload }: CreateEvent): void {
  if ((destination === undefined) === (eventType === undefined))
    throw new TypeError('an event has either an eventType or a destination')
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new TypeError('the payload of an event is an object')
}
