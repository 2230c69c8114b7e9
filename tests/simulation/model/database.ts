/**
 * A database in memory with what the pipeline rests on: transactions that nobody sees before their end, row locks that
 * hold until then, and statements that begin anew when they had to wait for one.
 *
 * It is no Postgres: a statement happens in one moment, so what a statement sees that waited for a lock in its middle, or
 * that runs beside another on many connections, only the tests on a real Postgres show.
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
  /** Of one partition, also while its day is taken out and nobody else sees it. */
  ofPartition(partition: string): Row[]
  /** As `delete`, of a partition's row. */
  drop(key: string): void
}

export type Views = { readonly [Name in TableName]: View<Rows[Name]> }

export interface Transaction extends Views {
  /** Partitions of the day of an id's `YYYYMMDD`, and locks that are no rows'. */
  readonly partitions: Partitions
  /** There is no table of that name: its day has been dropped. */
  isGone(partition: string): boolean
  /** Microseconds; the same for all of a transaction, and no two have the same. */
  readonly now: number
  lock(table: TableName, key: string): void
  nextSeq(): number
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
  /** What it has changed since, seen by its transaction alone. */
  changedByStatement(): Change[]
  commit(): Change[]
  rollback(): void
  /** Called when its locks are free. */
  onEnd(callback: () => void): void
  /** The one whose end it waits for. */
  waitsFor: Session | undefined
}

export interface Database {
  tables: { [Name in TableName]: Map<string, Rows[Name]> }
  /** @param connection whose locks outlive the transaction; none: nobody's do */
  begin(nowMicros: number, connection?: object): Session
  /** The locks of a connection that has ended. */
  unlockAll(connection: object): void
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
  const locks = new Map<string, Session>()
  const dayStore: PartitionStore = createPartitions()
  let lastNow = 0
  let seq = 0

  function begin(nowMicros: number, connection: object = {}): Session {
    lastNow = Math.max(lastNow + 1, Math.floor(nowMicros))
    const now = lastNow
    const held: string[] = []
    const overlays = new Map<TableName, Map<string, unknown>>()
    let saved: [TableName, Map<string, unknown>][] = []
    let onEnd: (() => void)[] = []

    function lock(table: TableName, key: string): void {
      const name = `${table} ${key}`
      const owner = locks.get(name)
      if (owner === session) return
      // A plain object: it is a signal within this folder, not an error that anyone reports.
      // oxlint-disable-next-line only-throw-error, no-throw-literal
      if (owner !== undefined) throw { blockedBy: owner } satisfies Blocked
      locks.set(name, session)
      held.push(name)
    }

    function view<Name extends TableName>(name: Name): View<Rows[Name]> {
      const table = tables[name] as Map<string, Rows[Name]>
      let overlay: Map<string, Rows[Name] | null> | undefined
      const own = () => {
        overlay = overlays.get(name) as typeof overlay
        return overlay
      }
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
        dayStore.isOut(name, key) ? undefined : find(key)
      return {
        get,
        all() {
          if (dayStore.hasOut(name)) return [...table.keys()].flatMap((key) => get(key) ?? [])
          const mine = own()
          if (mine === undefined) return [...table.values()]
          const rows: Rows[Name][] = []
          for (const [key, row] of table) {
            const over = mine.get(key)
            if (over === undefined) rows.push(row)
            else if (over !== null) rows.push(over)
          }
          for (const [key, row] of mine) if (row !== null && !table.has(key)) rows.push(row)
          return rows
        },
        put(key, row) {
          if (find(key) === undefined && dayStore.takesNone(name, key))
            throw Object.assign(new Error(`no partition of ${name} found for row`), {
              code: '23514',
            })
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

    function end(): void {
      for (const name of held) locks.delete(name)
      dayStore.end(session)
      held.length = 0
      overlays.clear()
      const waiting = onEnd
      onEnd = []
      for (const callback of waiting) callback()
    }

    const made: Partial<Record<TableName, unknown>> = {}
    const session: Session = {
      // Most statements look at two or three of the tables.
      transaction: Object.assign(Object.create(LAZY) as Views, {
        view: (name: TableName) => (made[name] ??= view(name)),
        now,
        lock,
        nextSeq: () => (seq += 1),
        keeps: (guard: Guard) => !without.has(guard),
        partitions: dayStore.of(() => session, connection),
        isGone: (partition: string) => dayStore.isGone(partition),
      }),
      waitsFor: undefined,
      beginStatement() {
        saved = [...overlays].map(([name, rows]) => [name, new Map(rows)])
      },
      undoStatement() {
        overlays.clear()
        for (const [name, rows] of saved) overlays.set(name, rows)
      },
      changedByStatement() {
        const earlier = new Map(saved)
        const changes: Change[] = []
        for (const [table, rows] of overlays) {
          const known = earlier.get(table)
          for (const [key, row] of rows) {
            const mine = known?.get(key)
            if (mine === row) continue
            const before = (mine === undefined ? tables[table].get(key) : mine) ?? undefined
            const after = row ?? undefined
            changes.push({ table, key, before, after } as Change)
          }
        }
        return changes
      },
      commit() {
        const changes: Change[] = []
        for (const [table, rows] of overlays) {
          const committed = tables[table] as Map<string, unknown>
          for (const [key, row] of rows) {
            const before = committed.get(key) as Change['before']
            if (row === null) committed.delete(key)
            else committed.set(key, row)
            changes.push({ table, key, before, after: (row ?? undefined) as Change['after'] })
          }
        }
        end()
        return changes
      },
      rollback: end,
      onEnd: (callback) => void onEnd.push(callback),
    }
    dayStore.began(session)
    return session
  }

  return { tables, begin, unlockAll: (connection) => dayStore.unlockAll(connection) }
}
