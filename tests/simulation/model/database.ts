/**
 * A database in memory with what the pipeline rests on: transactions that nobody sees before their
 * end, row locks that last until then, and statements that begin anew when they had to wait for
 * one.
 *
 * It is no Postgres: a statement happens in one moment. What a statement sees that waited for a
 * lock in its middle, or that runs beside another on many connections, only the tests on a real
 * Postgres show.
 */
import { type Rows, TABLE_NAMES, type TableName } from './rows.ts'
import {
  createPartitions,
  type Partitions,
  type PartitionStore,
  partitionName,
} from './partitions.ts'
import type { Guard } from './guards.ts'

export interface View<Row> {
  get(key: string): Row | undefined
  all(): Row[]
  /** Locks the row. */
  put(key: string, row: Row): void
  delete(key: string): boolean
  /** The rows of one partition, also while its day is taken out and nobody else sees it. */
  ofPartition(partition: string): Row[]
  /** As `delete`, for a row of a partition that is taken out. */
  drop(key: string): void
}

export type Views = { readonly [Name in TableName]: View<Rows[Name]> }

export interface Transaction extends Views {
  /** Partitions of the day of an id's `YYYYMMDD`, and locks that are no rows'. */
  readonly partitions: Partitions
  /** Whether there is no table of that name: its day has been dropped. */
  isGone(partition: string): boolean
  /** In microseconds; the same throughout a transaction, and no two transactions have the same. */
  readonly now: number
  /** `now` of the oldest transaction that has not ended. */
  oldest(): number
  lock(table: TableName, key: string): void
  nextSeq(): number
  nextEpoch(): number
  /** False: the guard is taken out, to see whether anything notices. */
  keeps(guard: Guard): boolean
}

export interface Change {
  table: TableName
  key: string
  before: Rows[TableName] | undefined
  after: Rows[TableName] | undefined
}

/** Thrown by a statement that meets a row which another transaction has locked. */
export interface Blocked {
  blockedBy: Session
}

export interface Session {
  transaction: Transaction
  /** Undoes what the statement under way has written. */
  undoStatement(): void
  beginStatement(): void
  /** What the statement under way has changed, seen by its transaction alone. */
  changedByStatement(): Change[]
  commit(): Change[]
  rollback(): void
  /** Calls back when its locks are free. */
  onEnd(callback: () => void): void
  /** The session whose end it waits for. */
  waitsFor: Session | undefined
}

export interface Database {
  tables: { [Name in TableName]: Map<string, Rows[Name]> }
  /** @param connection its advisory locks outlive the transaction */
  begin(nowMicros: number, connection?: object): Session
  /** The locks of a connection that has ended. */
  unlockAll(connection: object): void
}

/** A transaction's own rows of one table; null: deleted. */
type Overlay<Row> = Map<string, Row | null>

/** What all sessions of a database share. */
interface Shared {
  tables: Database['tables']
  locks: Map<string, Session>
  partitions: PartitionStore
  without: ReadonlySet<Guard>
  lastNow: number
  /** `now` of the transactions that have not ended, the oldest first. */
  running: Set<number>
  seq: number
  epoch: number
}

/** What a transaction has written so far, and how it locks. */
interface Writes {
  overlays: Map<TableName, Overlay<unknown>>
  lock(table: TableName, key: string): void
}

/** Each table's view, made when it is first looked at. */
const LAZY = Object.defineProperties(
  {},
  Object.fromEntries(
    TABLE_NAMES.map((name) => [
      name,
      {
        get(this: { view(name: TableName): unknown }) {
          return this.view(name)
        },
      },
    ]),
  ),
)

export function isBlocked(error: unknown): error is Blocked {
  return typeof error === 'object' && error !== null && 'blockedBy' in error
}

export function createDatabase(without: ReadonlySet<Guard>): Database {
  const tables = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, new Map()]),
  ) as unknown as Database['tables']
  const partitions = createPartitions()
  const shared: Shared = {
    tables,
    locks: new Map(),
    partitions,
    without,
    lastNow: 0,
    running: new Set(),
    seq: 0,
    epoch: 0,
  }
  return {
    tables,
    begin: (nowMicros, connection = {}) => createSession(shared, nowMicros, connection),
    unlockAll: (connection) => partitions.unlockAll(connection),
  }
}

function createSession(shared: Shared, nowMicros: number, connection: object): Session {
  const { tables, partitions } = shared
  const now = Math.max(shared.lastNow + 1, Math.floor(nowMicros))
  shared.lastNow = now
  shared.running.add(now)
  const locked: string[] = []
  const overlays: Writes['overlays'] = new Map()
  let saved: [TableName, Overlay<unknown>][] = []
  let onEnd: (() => void)[] = []

  function lock(table: TableName, key: string): void {
    const name = `${table} ${key}`
    const owner = shared.locks.get(name)
    if (owner === session) return
    // A plain object: it is a signal within this folder, not an error that anyone reports.
    // oxlint-disable-next-line only-throw-error, no-throw-literal
    if (owner !== undefined) throw { blockedBy: owner } satisfies Blocked
    shared.locks.set(name, session)
    locked.push(name)
  }

  function end(): void {
    shared.running.delete(now)
    for (const name of locked) shared.locks.delete(name)
    partitions.end(session)
    locked.length = 0
    overlays.clear()
    const callbacks = onEnd
    onEnd = []
    for (const callback of callbacks) callback()
  }

  const session: Session = {
    transaction: createTransaction(shared, { overlays, lock }, () => session, connection),
    waitsFor: undefined,
    beginStatement() {
      saved = [...overlays].map(([name, rows]) => [name, new Map(rows)])
    },
    undoStatement() {
      overlays.clear()
      for (const [name, rows] of saved) overlays.set(name, rows)
    },
    changedByStatement: () => changesSince(tables, overlays, new Map(saved)),
    commit() {
      const changes = commitTo(tables, overlays)
      partitions.committed(session)
      end()
      return changes
    },
    rollback: end,
    onEnd: (callback) => void onEnd.push(callback),
  }
  partitions.began(session)
  return session
}

function createTransaction(
  shared: Shared,
  writes: Writes,
  session: () => Session,
  connection: object,
): Transaction {
  const { partitions, without, lastNow: now } = shared
  // Most statements look at two or three of the tables.
  const made: Partial<Record<TableName, unknown>> = {}
  return Object.assign(Object.create(LAZY) as Views, {
    view: (name: TableName) => (made[name] ??= createView(shared, writes, name)),
    now,
    oldest: () => shared.running.values().next().value ?? now,
    lock: writes.lock,
    nextSeq: () => (shared.seq += 1),
    nextEpoch: () => (shared.epoch += 1),
    keeps: (guard: Guard) => !without.has(guard),
    partitions: partitions.of(session, connection),
    isGone: (partition: string) => partitions.isGone(partition),
  })
}

function createView<Name extends TableName>(
  { tables, partitions }: Shared,
  { overlays, lock }: Writes,
  name: Name,
): View<Rows[Name]> {
  const table = tables[name] as Map<string, Rows[Name]>
  const own = () => overlays.get(name) as Overlay<Rows[Name]> | undefined
  const write = (key: string, row: Rows[Name] | null): void => {
    lock(name, key)
    const mine = own() ?? new Map<string, Rows[Name] | null>()
    overlays.set(name, mine)
    mine.set(key, row)
  }
  const find = (key: string): Rows[Name] | undefined => {
    const mine = own()?.get(key)
    return mine === undefined ? table.get(key) : (mine ?? undefined)
  }
  const get = (key: string): Rows[Name] | undefined =>
    partitions.isOut(name, key) ? undefined : find(key)
  return {
    get,
    all() {
      if (partitions.hasOut(name)) return [...table.keys()].flatMap((key) => get(key) ?? [])
      const mine = own()
      return mine === undefined ? [...table.values()] : overlaid(table, mine)
    },
    put(key, row) {
      if (find(key) === undefined && partitions.takesNone(name, key))
        throw Object.assign(new Error(`no partition of ${name} found for row`), { code: '23514' })
      write(key, row)
    },
    drop: (key) => write(key, null),
    ofPartition: (partition) =>
      [...table.keys()]
        .filter((key) => partitionName(name, key) === partition)
        .flatMap((key) => find(key) ?? []),
    delete(key) {
      if (get(key) === undefined) return false
      write(key, null)
      return true
    },
  }
}

function overlaid<Row>(table: Map<string, Row>, mine: Overlay<Row>): Row[] {
  const rows: Row[] = []
  for (const [key, row] of table) {
    const over = mine.get(key)
    if (over === undefined) rows.push(row)
    else if (over !== null) rows.push(over)
  }
  for (const [key, row] of mine) if (row !== null && !table.has(key)) rows.push(row)
  return rows
}

function changesSince(
  tables: Database['tables'],
  overlays: Writes['overlays'],
  earlier: ReadonlyMap<TableName, Overlay<unknown>>,
): Change[] {
  const changes: Change[] = []
  for (const [table, rows] of overlays) {
    const known = earlier.get(table)
    for (const [key, row] of rows) {
      const mine = known?.get(key)
      if (mine === row) continue
      const before = (mine === undefined ? tables[table].get(key) : mine) ?? undefined
      changes.push({ table, key, before, after: row ?? undefined } as Change)
    }
  }
  return changes
}

function commitTo(tables: Database['tables'], overlays: Writes['overlays']): Change[] {
  const changes: Change[] = []
  for (const [table, rows] of overlays) {
    const committed = tables[table] as Map<string, unknown>
    for (const [key, row] of rows) {
      const before = committed.get(key)
      if (row === null) committed.delete(key)
      else committed.set(key, row)
      changes.push({ table, key, before, after: row ?? undefined } as Change)
    }
  }
  return changes
}
