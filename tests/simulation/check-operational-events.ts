/**
 * A subscriber receives exactly one operational event for every end of an event that is dead,
 * written by the transaction of that end, and none for anything else. Each row that was written
 * becomes one event, whatever happens to the services meanwhile.
 */
import type { Change, Database } from './model/database.ts'
import { asksForService } from './model/operational.ts'
import type { EndpointRow, EventRow, OperationalRow } from './model/rows.ts'

const DEAD = 'service.event.dead'

export interface OperationalEventChecker {
  onCommit(changes: readonly Change[]): void
  /** Called when everything has ended. */
  onEnd(): void
}

export function createOperationalEventChecker(
  database: Database,
  nowMicros: () => number,
  violated: (what: string) => void,
): OperationalEventChecker {
  const written: OperationalRow[] = []
  /** How often an event was made under each idempotency key; retention may remove the key. */
  const made = new Map<string, number>()
  /** There has been a subscriber all along. */
  let isHeard = true
  let wasSubscribed: boolean | undefined
  /** When a subscriber was last gained or lost, in Postgres's microseconds. */
  let changedAt = -Infinity

  function isAsked(): boolean {
    const endpoints = [...database.tables.endpoints.values()] as EndpointRow[]
    return endpoints.some((row) => !row.isDeleted && asksForService(row.config.eventTypes))
  }

  function hasDied(before: EventRow | undefined, after: EventRow | undefined): boolean {
    if (after === undefined || after.eventType?.startsWith('service.') === true) return false
    return (before?.open ?? 0) > 0 && after.open === 0 && after.dead > 0
  }

  return {
    onCommit(changes) {
      const reported = changes.flatMap(({ table, before, after }) =>
        table === 'operational' && before === undefined && after !== undefined
          ? [after as OperationalRow]
          : [],
      )
      written.push(...reported.filter(({ type }) => type === DEAD))
      for (const { table, before, after } of changes) {
        if (table !== 'keys' || before !== undefined || after === undefined) continue
        const { key } = after as { key: string }
        made.set(key, (made.get(key) ?? 0) + 1)
      }
      const died = new Map(
        changes.flatMap(({ table, key, before, after }) =>
          table === 'events' && hasDied(before as EventRow, after as EventRow)
            ? [[key, (after as EventRow).endedAt ?? Infinity]]
            : [],
        ),
      )
      const isSubscribed = isAsked()
      if (wasSubscribed !== undefined && isSubscribed !== wasSubscribed) changedAt = nowMicros()
      wasSubscribed = isSubscribed
      for (const [id, endedAt] of died) {
        const times = reported.filter(({ type, fact }) => type === DEAD && fact === id).length
        const wanted = isSubscribed ? 1 : 0
        // A transaction that began before the change may have ended the event before or after it.
        const isEither = endedAt < changedAt
        if (isEither ? times > 1 : times !== wanted)
          violated(`event ${id} died, and was reported ${times} times, not ${wanted}`)
      }
      for (const { type, fact } of reported)
        if (type === DEAD && !died.has(fact))
          violated(`event ${fact} did not die, and was reported`)
      if (!isSubscribed) isHeard = false
    },
    onEnd() {
      const events = [...database.tables.events.values()] as EventRow[]
      const dead = events.filter(({ eventType }) => eventType === DEAD)
      for (const { id, fact } of written) {
        const times = made.get(`${DEAD}:${fact}:${id}`) ?? 0
        if (times !== 1 && isHeard) violated(`the end of event ${fact} became ${times} events`)
      }
      if (dead.length > written.length)
        violated(`${written.length} ends of events became ${dead.length} events`)
    },
  }
}
