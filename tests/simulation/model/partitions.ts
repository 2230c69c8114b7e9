/**
 * The partitions of the model's big tables and the advisory locks of retention. A day that is being taken out is seen by
 * nobody from the moment on in which that begins; it is out when all transactions have ended that had begun before.
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
  /** Nothing new goes into a day that is being taken out, or is gone: Postgres finds no partition for it. */
  takesNone(table: TableName, id: string): boolean
  began(session: Session): void
  end(session: Session): void
  of(session: () => Session, connection: object): Partitions
  unlockAll(connection: object): void
}

/** Days that a statement's text names, as `daysOf`: of other days it sees no row. */
export type Narrowed = ReadonlyMap<string, readonly [from: number, to: number]>

export interface Partitions {
  /** While a statement is carried out. */
  narrow(to: Narrowed | null): void
  /** `events_20400101` and its like, of which there are rows or which are out. */
  list(tables: Record<string, readonly string[]>): Partition[]
  /** Out from now on. @returns a session that must end first */
  takeOut(partition: string): Session | undefined
  putBack(partition: string): void
  drop(partition: string): void
  lock(key: string): boolean
  lockShared(key: string): boolean
  unlock(key: string): void
}

export interface Partition {
  name: string
  attached: boolean
  pending: boolean
}

export function dayOfId(id: string): number {
  return Math.floor(timeOfId(id) / DAY_MS)
}

export function partitionName(table: string, id: string): string {
  const day = new Date(dayOfId(id) * DAY_MS)
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

export function createPartitions(): PartitionStore {
  /** Whether all that began before have ended. */
  const out = new Map<string, 'pending' | 'detached'>()
  const gone = new Set<string>()
  const sessions = new Set<Session>()
  const exclusive = new Map<string, object>()
  const shared = new Map<string, Set<Session>>()
  let narrowed: Narrowed | null = null

  function of(session: () => Session, connection: object): Partitions {
    return {
      narrow: (to) => void (narrowed = to),
      list(tables) {
        const names = Object.entries(tables).flatMap(([table, ids]) =>
          ids.map((id) => partitionName(table, id)),
        )
        return [...new Set([...names, ...out.keys()])].map((name) => {
          const state = out.get(name)
          return { name, attached: state === undefined, pending: state === 'pending' }
        })
      },
      takeOut(partition) {
        if (!out.has(partition)) out.set(partition, 'pending')
        const before = [...sessions].find((one) => one !== session())
        if (before === undefined) out.set(partition, 'detached')
        return before
      },
      putBack: (partition) => void out.delete(partition),
      drop(partition) {
        out.delete(partition)
        gone.add(partition)
      },
      lock(key) {
        const holder = exclusive.get(key)
        const others = [...(shared.get(key) ?? [])].some((one) => one !== session())
        if ((holder !== undefined && holder !== connection) || others) return false
        exclusive.set(key, connection)
        return true
      },
      lockShared(key) {
        const holder = exclusive.get(key)
        if (holder !== undefined && holder !== connection) return false
        shared.set(key, (shared.get(key) ?? new Set<Session>()).add(session()))
        return true
      },
      unlock: (key) => void exclusive.delete(key),
    }
  }

  return {
    isOut(table, id) {
      // A lane without a head: no row has this id, and it is of no day.
      if (id === '') return false
      const span = narrowed?.get(table)
      if (span !== undefined && (dayOfId(id) < span[0] || dayOfId(id) >= span[1])) return true
      return out.size > 0 && PARTITIONED.includes(table) && out.has(partitionName(table, id))
    },
    hasOut: (table) =>
      (out.size > 0 && PARTITIONED.includes(table)) || narrowed?.has(table) === true,
    isGone: (partition) => gone.has(partition),
    takesNone(table, id) {
      if (out.size + gone.size === 0 || !PARTITIONED.includes(table)) return false
      const partition = partitionName(table, id)
      return out.has(partition) || gone.has(partition)
    },
    began: (session) => void sessions.add(session),
    end(session) {
      sessions.delete(session)
      for (const holders of shared.values()) holders.delete(session)
    },
    of,
    unlockAll(connection) {
      for (const [key, holder] of exclusive) if (holder === connection) exclusive.delete(key)
    },
  }
}
