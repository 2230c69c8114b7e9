/**
 * The model of `retention.ts` and `drop-partitions.ts`: looking into a day, taking it out, dropping
 * it or putting it back, and deleting what has ended row by row. Attempts are kept for ever here,
 * because they are compared with the deliveries.
 */
import type { Transaction } from './database.ts'
import type { EventRow } from './rows.ts'
import type { Statement } from './statements.ts'

/** The tenants here are on the smallest plan. */
const KEPT_DAYS = 7

function tableOf(partition: string): 'events' | 'deliveries' {
  return partition.startsWith('events') ? 'events' : 'deliveries'
}

/** When the last event of each tenant ended, as one page of all rows; Infinity: one has not. */
function look(db: Transaction, values: readonly unknown[]): unknown[] {
  const name = values.at(-1) as string
  const rows =
    tableOf(name) === 'events'
      ? db.events
          .ofPartition(name)
          .map((event) => ({ ...event, event: event as EventRow | undefined }))
      : db.deliveries
          .ofPartition(name)
          .map((row) => ({ ...row, event: db.events.get(row.eventId) }))
  const tenants = new Map<string, { lastId: string; count: number; endedAt: number | null }>()
  for (const { tenantId, id, event } of rows) {
    const { lastId = '', count = 0, endedAt = null } = tenants.get(tenantId) ?? {}
    const ended = event === undefined ? [] : [(event.endedAt ?? Infinity) / 1_000]
    const last = endedAt === null ? ended : [endedAt, ...ended]
    tenants.set(tenantId, {
      lastId: id > lastId ? id : lastId,
      count: count + 1,
      endedAt: last.length === 0 ? null : Math.max(...last),
    })
  }
  return [...tenants].map(([tenantId, page]) => ({ tenantId, ...page }))
}

/**
 * Nobody sees the day from now on; it is out when all transactions that began before have ended.
 */
function takeOut(db: Transaction, values: readonly unknown[]): unknown[] {
  const blockedBy = db.partitions.takeOut(values.at(-1) as string)
  // As `database.ts` says: a signal, which makes the statement wait and begin anew.
  // oxlint-disable-next-line only-throw-error, no-throw-literal
  if (blockedBy !== undefined) throw { blockedBy }
  return []
}

/** It is closed when all transactions that began before have ended, which may have rows for it. */
function close(db: Transaction, values: readonly unknown[]): unknown[] {
  const blockedBy = db.partitions.close(values.at(-1) as string)
  // oxlint-disable-next-line only-throw-error, no-throw-literal
  if (blockedBy !== undefined) throw { blockedBy }
  return []
}

function drop(db: Transaction, values: readonly unknown[]): unknown[] {
  const partition = values.at(-1) as string
  const table = db[tableOf(partition)]
  for (const { id } of table.ofPartition(partition)) table.drop(id)
  db.partitions.drop(partition)
  return []
}

function deleteKeys(db: Transaction, values: readonly unknown[]): unknown[] {
  const ids = new Set(db.events.ofPartition(values.at(-1) as string).map(({ id }) => id))
  for (const { tenantId, key, eventId } of db.keys.all())
    if (ids.has(eventId)) db.keys.delete(`${tenantId} ${key}`)
  return []
}

function oldEvents(db: Transaction, [tenantId, after, before]: readonly unknown[]): unknown[] {
  return db.events
    .all()
    .filter((row) => row.tenantId === tenantId && row.id > (after as string))
    .filter(({ id }) => id < (before as string))
    .map(({ id }) => ({ id }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function deleteEvents(db: Transaction, [, ids, before]: readonly unknown[]): unknown[] {
  const limit = (before as Date).getTime() * 1_000
  const gone = (ids as string[]).flatMap((id) => {
    if (db.events.get(id) === undefined) return []
    db.lock('events', id)
    const event = db.events.get(id)
    return event === undefined || event.endedAt === null || event.endedAt >= limit ? [] : [event]
  })
  for (const { id } of gone) {
    db.events.delete(id)
    for (const delivery of db.deliveries.all()) {
      if (delivery.eventId !== id) continue
      db.deliveries.delete(delivery.id)
      db.due.delete(delivery.id)
    }
    for (const { tenantId, key, eventId } of db.keys.all())
      if (eventId === id) db.keys.delete(`${tenantId} ${key}`)
  }
  return gone.map(() => ({}))
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export const RETAINING: Record<string, Statement> = {
  'lock-retention': (db) => [{ ours: db.partitions.lock('retention') }],
  'unlock-retention': (db) => [{ unlocked: db.partitions.unlock('retention') }],
  'lock-day': (db, [, day]) => [{ ours: db.partitions.lock(`day ${String(day)}`) }],
  'unlock-day': (db, [, day]) => [{ unlocked: db.partitions.unlock(`day ${String(day)}`) }],
  'retention-windows': (db) =>
    db.tenants.all().map(({ id }) => {
      return {
        tenantId: id,
        plan: 'free',
        events: KEPT_DAYS,
        attempts: 0,
        auditLogs: 0,
        authAudit: 0,
      }
    }),
  'retention-partitions': (db) =>
    db.partitions.list({
      events: idsOf(db.events.all()),
      deliveries: idsOf(db.deliveries.all()),
    }),
  setting: () => [],
  'look-into-partition': look,
  'close-partition': close,
  'open-partition': (db, values) => {
    db.partitions.open(values.at(-1) as string)
    return []
  },
  'take-out-partition': takeOut,
  'put-back-partition': (db, values) => {
    db.partitions.putBack(values.at(-1) as string)
    return []
  },
  'delete-keys': deleteKeys,
  // Audit rows are not modelled.
  'tell-removed': () => [],
  'drop-partition': drop,
  'old-events': oldEvents,
  // Nobody signs in.
  'old-sign-ins': () => [],
  'delete-events': deleteEvents,
  // No endpoint was deleted long enough ago.
  'delete-endpoints': () => [],
}
