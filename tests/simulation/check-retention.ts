/**
 * What retention rests on: an event that it has seen to have ended stays so until its day is gone
 * or given back, because nobody may replay what is of a day that retention has locked. Without that
 * it would take out a day of which something has to be sent.
 */
import type { Database } from './model/database.ts'
import { dayOfId, partitionName } from './model/partitions.ts'
import type { CompletedStatement } from './model/pool.ts'
import type { DeliveryRow, EventRow } from './model/rows.ts'
import { EPOCH_MS } from './virtual-time.ts'

export interface RetentionCheckDeps {
  database: Database
  violated(what: string): void
  /** Retention begins to look into a day. */
  onLocked(day: number): void
}

const RUN_DAY = Math.floor(EPOCH_MS / 86_400_000)
const LOOK = /^look-into-partition ((events|deliveries)_\d+)$/
const END = /^(?:COMMIT of drop-partition|put-back-partition) (\S+)$/

export function createRetentionCheck({ database, violated, onLocked }: RetentionCheckDeps) {
  /** Events of a partition that had ended when it was looked into. */
  const ended = new Map<string, readonly string[]>()

  function eventOf(id: string): EventRow | undefined {
    return database.tables.events.get(id)
  }

  function look(partition: string, table: string): void {
    for (const id of ended.get(partition) ?? []) {
      if (eventOf(id)?.endedAt === null)
        violated(`${id} is replayed while retention has locked its day, and ${partition} is out`)
    }
    const rows: readonly { id: string; eventId?: string }[] =
      table === 'events'
        ? [...database.tables.events.values()]
        : [...(database.tables.deliveries.values() as Iterable<DeliveryRow>)]
    const ids = rows
      .filter(({ id }) => partitionName(table, id) === partition)
      .map(({ id, eventId }) => eventId ?? id)
    ended.set(
      partition,
      ids.filter((id) => (eventOf(id)?.endedAt ?? null) !== null),
    )
  }

  return {
    onCommit(name: string, { rows, values }: CompletedStatement): void {
      const [, partition, table] = LOOK.exec(name) ?? []
      if (partition !== undefined && table !== undefined) look(partition, table)
      const [, given] = END.exec(name) ?? []
      if (given !== undefined) ended.delete(given)
      if (name !== 'lock-day' || (rows[0] as { ours?: boolean }).ours !== true) return
      // Whoever had it locked before has not come to an end with it.
      ended.clear()
      onLocked(values[1] as number)
    },
  }
}

/** The days of an event and of its deliveries. */
export function listDays({ tables }: Database, eventId: string): number[] {
  const deliveries = [...(tables.deliveries.values() as Iterable<DeliveryRow>)]
  const own = deliveries.filter((row) => row.eventId === eventId)
  return [eventId, ...own.map(({ id }) => id)].map(dayOfId)
}

/** Whether the event was given up, and is of a day before that of the run. */
export function isOldAndDead(database: Database, eventId: string): boolean {
  const event = database.tables.events.get(eventId)
  if (event === undefined || event.endedAt === null || event.dead === 0) return false
  return listDays(database, eventId).some((day) => day < RUN_DAY)
}
