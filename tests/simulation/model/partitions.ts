/**
 * The partitions of the model's big tables, and the advisory locks of retention. Once retention has
 * begun to take out a day, nobody sees it any more; the day is out when all transactions that began
 * before have ended.
 */
import { timeOfId } from '@posthorn/domain/ids'
import type { Session } from './database.ts'
import type { TableName } from './rows.ts'

const DAY_MS = 86_400_000
const PARTITIONED: readonly string[] = ['events', 'deliveries', 'attempts']

export interface PartitionStore {
  isOut(table: TableName, id: string): boolean
  hasOut(table: TableName): boolean
  isGone(partition: string): boolean
  /** Whether its day is being taken out, or is gone: Postgres finds no partition for a new row. */
  takesNone(table: TableName, id: string): boolean
  began(session: Session): void
  /** What it has dropped is gone for everybody. */
  committed(session: Session): void
  end(session: Session): void
  of(session: () => Session, connection: object): Partitions
  unlockAll(connection: object): void
}

/** The days that a statement's text names, as `boundsOf` does: it sees no row of other days. */
export type Narrowed = ReadonlyMap<string, readonly [from: number, to: number]>

export interface Partitions {
  /** Called before a statement that names days, and with null after it. */
  narrow(to: Narrowed | null): void
  /** Names like `events_20400101`, of partitions that have rows or are out. */
  list(tables: Record<string, readonly string[]>): Partition[]
  /** Begins to take it out. @returns a session that must end first */
  takeOut(partition: string): Session | undefined
  putBack(partition: string): void
  /** It takes no rows. @returns a session that must end first */
  close(partition: string): Session | undefined
  open(partition: string): void
  drop(partition: string): void
  lock(key: string): boolean
  lockShared(key: string): boolean
  unlock(key: string): void
}

export interface Partition {
  name: string
  attached: boolean
  pending: boolean
  closed: boolean
}

export function dayOfId(id: string): number {
  return Math.floor(timeOfId(id) / DAY_MS)
}

export function partitionName(table: string, id: string): string {
  const day = new Date(dayOfId(id) * DAY_MS)
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

interface PartitionState {
  /** `detached` once all transactions have ended that began before. */
  out: Map<string, 'pending' | 'detached'>
  closed: Set<string>
  gone: Set<string>
  /** Partitions that a transaction under way has dropped. */
  dropped: Map<Session, string[]>
  sessions: Set<Session>
  narrowed: Narrowed | null
}

export function createPartitions(): PartitionStore {
  const state: PartitionState = {
    out: new Map(),
    closed: new Set(),
    gone: new Set(),
    dropped: new Map(),
    sessions: new Set(),
    narrowed: null,
  }
  const { out, closed, gone, dropped, sessions } = state
  const locks = createAdvisoryLocks()
  return {
    isOut(table, id) {
      // A lane without a head has no row of this id, and the id is of no day.
      if (id === '') return false
      const span = state.narrowed?.get(table)
      if (span !== undefined && (dayOfId(id) < span[0] || dayOfId(id) >= span[1])) return true
      return out.size > 0 && PARTITIONED.includes(table) && out.has(partitionName(table, id))
    },
    hasOut: (table) =>
      (out.size > 0 && PARTITIONED.includes(table)) || state.narrowed?.has(table) === true,
    isGone: (partition) => gone.has(partition),
    takesNone(table, id) {
      if (out.size + closed.size + gone.size === 0 || !PARTITIONED.includes(table)) return false
      const partition = partitionName(table, id)
      return out.has(partition) || closed.has(partition) || gone.has(partition)
    },
    began: (session) => void sessions.add(session),
    committed(session) {
      for (const partition of dropped.get(session) ?? []) {
        out.delete(partition)
        gone.add(partition)
      }
    },
    end(session) {
      dropped.delete(session)
      sessions.delete(session)
      locks.end(session)
    },
    of: (session, connection) => ({
      ...partitionsOf(state, session),
      ...locks.of(session, connection),
    }),
    unlockAll: locks.unlockAll,
  }
}

function partitionsOf(
  state: PartitionState,
  session: () => Session,
): Omit<Partitions, 'lock' | 'lockShared' | 'unlock'> {
  const { out, closed, dropped, sessions } = state
  const startedBefore = (): Session | undefined => [...sessions].find((one) => one !== session())
  return {
    narrow: (to) => void (state.narrowed = to),
    list(tables) {
      const names = Object.entries(tables).flatMap(([table, ids]) =>
        ids.map((id) => partitionName(table, id)),
      )
      return [...new Set([...names, ...out.keys()])].map((name) => {
        const known = out.get(name)
        const state = { attached: known === undefined, pending: known === 'pending' }
        return { name, ...state, closed: closed.has(name) }
      })
    },
    takeOut(partition) {
      if (!out.has(partition)) out.set(partition, 'pending')
      const before = startedBefore()
      if (before === undefined) out.set(partition, 'detached')
      return before
    },
    putBack: (partition) => void out.delete(partition),
    close(partition) {
      const before = startedBefore()
      if (before === undefined) closed.add(partition)
      return before
    },
    open: (partition) => void closed.delete(partition),
    drop(partition) {
      dropped.set(session(), [...(dropped.get(session()) ?? []), partition])
    },
  }
}

/** Exclusive locks are a connection's, shared ones a transaction's, as the pipeline uses them. */
function createAdvisoryLocks() {
  const exclusive = new Map<string, object>()
  const shared = new Map<string, Set<Session>>()

  return {
    of: (session: () => Session, connection: object) => ({
      lock(key: string) {
        const owner = exclusive.get(key)
        const others = [...(shared.get(key) ?? [])].some((one) => one !== session())
        if ((owner !== undefined && owner !== connection) || others) return false
        exclusive.set(key, connection)
        return true
      },
      lockShared(key: string) {
        const owner = exclusive.get(key)
        if (owner !== undefined && owner !== connection) return false
        shared.set(key, (shared.get(key) ?? new Set<Session>()).add(session()))
        return true
      },
      unlock: (key: string) => void exclusive.delete(key),
    }),
    end(session: Session) {
      for (const sharers of shared.values()) sharers.delete(session)
    },
    unlockAll(connection: object) {
      for (const [key, owner] of exclusive) if (owner === connection) exclusive.delete(key)
    },
  }
}
