/**
 * Events that arrive together share one INSERT (group commit), and each learns its own outcome
 * after that is durable. One event whose data is at fault fails alone.
 */
import { unavailable } from '@posthorn/http/errors'
import { createGroupCommit } from '@posthorn/store/group-commit'
import { type Accepted, acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { Pool } from '@posthorn/store/pool'
import { writeRows } from '@posthorn/store/repeat'
import type { Announce } from './announce.ts'
import { toAnnouncements } from './new-event.ts'

export interface WriteEvents {
  /** Throws UNAVAILABLE where too many wait already. */
  write(event: NewEvent): Promise<Accepted>
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

/** One statement of 100 events takes some 5 ms: 5,000 waiting are 250 ms, and 6 MB at 1 KB each. */
const LIMITS = { maxBatch: 100, maxQueue: 5_000, writers: 1 }

type Outcome = Accepted | { outcome: 'refused'; error: unknown }

export function createWriteEvents(deps: { pool: Pool; announce: Announce }): WriteEvents {
  const batches = createGroupCommit<NewEvent, Outcome>(LIMITS, async (events) => {
    const outcomes = await writeAll(deps.pool, events)
    const announcements = toAnnouncements(events, outcomes)
    deps.announce.deliveries(announcements.deliveries)
    deps.announce.events(announcements.events)
    return outcomes
  })
  return {
    async write(event) {
      const written = batches.add(event)
      if (written === null) throw unavailable('too many events wait to be written; try again')
      const outcome = await written
      if (outcome.outcome === 'refused') throw outcome.error
      return outcome
    },
    idle: () => batches.idle(),
  }
}

async function writeAll(pool: Pool, events: readonly NewEvent[]): Promise<Outcome[]> {
  const { written, refused } = await writeRows(events, async (rows) => {
    const outcomes = await acceptEvents(pool, rows)
    return rows.map((row, n) => ({ id: row.id, outcome: outcomes[n] as Accepted }))
  })
  const byId = new Map<string, Outcome>(written.map(({ id, outcome }) => [id, outcome]))
  for (const { row, error } of refused) byId.set(row.id, { outcome: 'refused', error })
  return events.map(({ id }) => byId.get(id) as Outcome)
}
