/**
 * Drops the partitions of days that nobody keeps any more. A day is locked (`DAY_LOCK`) from before
 * it is looked into until it has gone. A replay needs that lock to queue anything of the day again,
 * so what was seen to have ended stays so; a day whose lock a replay has waits for the next hour.
 *
 * A clock that was wrong may put a new row there meanwhile. So the partition is closed, which
 * refuses rows as if it had gone, and looked into once more; then it is taken out, without a lock
 * that anyone waits for, and dropped. It is never taken out with anything in it that has not ended:
 * whoever has to send that would take it for gone. What a killed process has left half done is
 * finished by the next.
 *
 * Events go first: deliveries and attempts are kept for as long as their events are, or were.
 * Attempts need no lock: a replay that finds them gone is one that came later. Audit rows and
 * sign-ins belong to no event: their day alone decides.
 */
import { idAt } from '@posthorn/domain/ids'
import { recordRemoved, type RemovedRows } from './audit/record-removed.ts'
import {
  lookInto,
  type Queryable,
  type RetainedTable,
  type TablePartition,
} from './look-into-partition.ts'
import { DAY_LOCK } from './pipeline/sql/partition-bounds.ts'
import { longestOf, type RetainedKind, type TenantWindow } from './retention-windows.ts'

const DAY_MS = 86_400_000

/** The tables that leave by the day, in the order in which they do. */
const TABLES: readonly { table: RetainedTable; kind: RetainedKind; hasEvents: boolean }[] = [
  { table: 'events', kind: 'events', hasEvents: true },
  { table: 'deliveries', kind: 'events', hasEvents: true },
  { table: 'attempts', kind: 'attempts', hasEvents: true },
  { table: 'audit_logs', kind: 'auditLogs', hasEvents: false },
  { table: 'auth_audit_logs', kind: 'authAudit', hasEvents: false },
]
const NAME = new RegExp(
  `^(${TABLES.map(({ table }) => table).join('|')})_(\\d{4})(\\d\\d)(\\d\\d)$`,
)
/** So many idempotency keys are deleted in one statement: some 50 ms. */
const KEYS = 2_000
/** How long others may wait behind a partition that is closed or opened. */
const LOCK_MS = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export async function dropPartitions(
  client: Queryable,
  windows: readonly TenantWindow[],
  now: Date,
  countedUntil: Date,
): Promise<string[]> {
  const dropped: string[] = []
  for (const partition of await readPartitions(client)) {
    const { hasEvents, from, closed } = partition
    const isCounted = !hasEvents || from + DAY_MS <= countedUntil.getTime()
    const isDropped = isOld(partition, windows, now) && isCounted
    if (!isDropped && !closed) continue
    try {
      // A process that was killed has closed it, and since then somebody keeps it for longer.
      if (!isDropped) await keep(client, partition)
      else if (await dropLocked(client, partition, windows, now)) dropped.push(partition.name)
    } catch (error) {
      // A long statement reads the table: the next attempt is in an hour. Until then no other
      // partition of the table can be taken out.
      if ((error as { code?: unknown }).code !== '55P03') throw error
      return dropped
    }
  }
  return dropped
}

/** First what is half done, then the oldest day; within a day the events come first. */
async function readPartitions(client: Queryable): Promise<TablePartition[]> {
  const { rows } = await client.query<
    Pick<TablePartition, 'name' | 'attached' | 'pending' | 'closed'>
  >(
    `SELECT c.relname AS name, i.inhrelid IS NOT NULL AND NOT i.inhdetachpending AS attached,
       coalesce(i.inhdetachpending, false) AS pending, EXISTS (
         SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'closed') AS closed
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = (
       SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass)`,
  )
  const partitions = rows.flatMap(({ name, ...state }): TablePartition[] => {
    const parts = NAME.exec(name)
    if (parts === null) return []
    const [, table, year, month, day] = parts
    const from = Date.UTC(Number(year), Number(month) - 1, Number(day))
    const kept = TABLES.find((one) => one.table === table)
    return kept === undefined ? [] : [{ name, ...kept, from, ...state }]
  })
  const order = TABLES.map(({ table }) => table)
  return partitions.sort(
    (a, b) =>
      Number(b.pending) - Number(a.pending) ||
      a.from - b.from ||
      order.indexOf(a.table) - order.indexOf(b.table),
  )
}

/**
 * Whether its day alone lets it go, before it is looked into. Its last event ended at the end of
 * the day at the earliest.
 */
function isOld(
  { from, kind }: TablePartition,
  windows: readonly TenantWindow[],
  now: Date,
): boolean {
  const days = longestOf(windows, kind)
  return days > 0 && from + DAY_MS + days * DAY_MS < now.getTime()
}

const UNLOCK = 'SELECT pg_advisory_unlock($1::int, $2::int)'

async function dropLocked(
  client: Queryable,
  partition: TablePartition,
  windows: readonly TenantWindow[],
  now: Date,
): Promise<boolean> {
  const isReplayed = partition.hasEvents && partition.table !== 'attempts'
  if (!isReplayed) return await dropOne(client, partition, windows, now)
  const day = [DAY_LOCK, partition.from / DAY_MS]
  const { rows } = await client.query<{ ours: boolean }>(
    'SELECT pg_try_advisory_lock($1::int, $2::int) AS ours',
    day,
  )
  if (rows[0]?.ours !== true) return false
  try {
    return await dropOne(client, partition, windows, now)
  } finally {
    await client.query(UNLOCK, day)
  }
}

async function dropOne(
  client: Queryable,
  partition: TablePartition,
  windows: readonly TenantWindow[],
  now: Date,
): Promise<boolean> {
  const { name, table, attached, pending, hasEvents } = partition
  const look = async () => await lookInto(client, partition, windows, now)
  if (attached && hasEvents) {
    if ((await look()).isKept) return await keep(client, partition)
    await close(client, partition)
  }
  if (pending) await finishTakingOut(client, partition)
  const { isKept, counts } = await look()
  if (isKept) return await keep(client, { ...partition, pending: false, closed: true })
  if (attached) await client.query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`)
  if (table === 'events') await deleteKeys(client, name)
  await dropTold(client, partition, counts)
  return true
}

/**
 * From then on it takes no row. It waits for writers that have written into it, and whoever writes
 * into all days waits behind it, so it gives up soon.
 */
async function close(client: Queryable, { name, closed }: TablePartition): Promise<void> {
  if (closed) return
  await changeSoon(
    client,
    `CREATE OR REPLACE TRIGGER closed BEFORE INSERT ON ${name}
     FOR EACH ROW EXECUTE FUNCTION refuse_row()`,
  )
}

/** @throws 55P03: others have the table, and it is tried again in an hour */
async function changeSoon(client: Queryable, sql: string): Promise<void> {
  await client.query(`SET lock_timeout = '${LOCK_MS}ms'`)
  try {
    await client.query(sql)
  } finally {
    await client.query('RESET lock_timeout')
  }
}

async function finishTakingOut(client: Queryable, { name, table }: TablePartition): Promise<void> {
  await client.query(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`)
}

/** As it was before: it takes rows and is seen. @returns false: it has not gone */
async function keep(client: Queryable, partition: TablePartition): Promise<false> {
  const { name, table, from, attached, pending, closed } = partition
  if (pending) await finishTakingOut(client, partition)
  if (!attached)
    await client.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name}
       FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}')`,
    )
  if (closed) await changeSoon(client, `DROP TRIGGER IF EXISTS closed ON ${name}`)
  return false
}

/** Workspaces are told of what goes in the transaction in which it does. */
async function dropTold(
  client: Queryable,
  { name, table, kind }: TablePartition,
  counts: readonly RemovedRows[],
): Promise<void> {
  await client.query('BEGIN')
  try {
    // A delivery goes with its event.
    if (table !== 'deliveries') await recordRemoved(client, kind, counts)
    await client.query(`DROP TABLE ${name}`)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Called before the events are gone, so that a process that is killed leaves no keys behind. */
async function deleteKeys(client: Queryable, name: string): Promise<void> {
  let after = [FIRST_ID, FIRST_ID]
  for (;;) {
    const { rows } = await client.query<{ tenant_id: string; id: string }>(
      `WITH next AS MATERIALIZED (
         SELECT tenant_id, id, idempotency_key FROM ${name} WHERE (tenant_id, id) > ($1, $2)
         ORDER BY tenant_id, id LIMIT ${KEYS}
       ), gone AS (
         DELETE FROM idempotency_keys k USING next n
         WHERE k.tenant_id = n.tenant_id AND k.key = n.idempotency_key AND k.event_id = n.id
       )
       SELECT tenant_id, id FROM next ORDER BY tenant_id DESC, id DESC LIMIT 1`,
      after,
    )
    const [last] = rows
    if (last === undefined) return
    after = [last.tenant_id, last.id]
  }
}
