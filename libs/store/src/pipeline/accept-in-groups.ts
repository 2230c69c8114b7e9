/**
 * Events that arrive together share one INSERT (group commit), and each sender learns the outcome
 * of its own event once it is durable. An event whose data is at fault fails alone.
 */
import { createGroupCommit } from '@posthorn/async/group-commit'
import { holdConnection } from '../held-connection.ts'
import type { Pool } from '../pool.ts'
import { writeRows } from '../repeat.ts'
import type { TransactionClient } from '../transaction.ts'
import { type AcceptOutcome, acceptEvents, type NewEvent } from './accept-events.ts'

/** `refused`: its data was at fault. */
export type WriteOutcome = AcceptOutcome | { outcome: 'refused'; error: unknown }

export interface AcceptInGroups {
  /** null: too many wait already. Throws what went wrong with this event. */
  accept(event: NewEvent): Promise<AcceptOutcome | null>
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

function sizeOf({ payload, headers }: NewEvent): number {
  return payload.length + (headers?.length ?? 0)
}

/**
 * One statement of 100 events takes some 5 ms: 5,000 that wait are 250 ms, and 6 MB at 1 KB each.
 * When payloads have their largest size, 16 go into one statement of some 50 ms, and 128 may wait,
 * some 400 ms.
 */
const LIMITS = {
  maxBatch: 100,
  maxQueue: 5_000,
  writers: 1,
  bytes: {
    of: sizeOf,
    maxBatch: 4 * 1024 * 1024,
    maxQueue: 32 * 1024 * 1024,
  },
}

/**
 * From here on a group goes over the connections for bulk, in characters. Over a Unix socket, which
 * takes some 200 KiB at a time, groups of 256 KiB payloads were written at 0.90 of the rate over
 * TCP, and groups of small ones in 0.95 of the time.
 */
const BULK_SIZE = 128 * 1024

/** What the last statement counts in the mean. */
const LAST_STATEMENT_SHARE = 1 / 8

export interface AcceptPools {
  pool: Pool
  /** For groups with large payloads; without it all go over `pool`. */
  bulkPool?: Pool | undefined
}

/**
 * @param onWritten announces what is durable now; called before the senders get their answers
 * @param announcedLateMs how long what is written so many ms from now waits before it goes on, in
 *   ms. A group waits for that long before its statement instead, where others came while the group
 *   before was written: it is larger then, and what follows is as soon.
 */
export function createAcceptInGroups(
  { pool, bulkPool }: AcceptPools,
  onWritten: (events: readonly NewEvent[], outcomes: readonly WriteOutcome[]) => void,
  announcedLateMs: (inMs: number) => number,
): AcceptInGroups {
  const connection = holdConnection(pool)
  const bulk = bulkPool ?? connection
  let statementMs = 0
  const config = {
    ...LIMITS,
    waitForMoreMs: () => Math.min(announcedLateMs(statementMs), statementMs),
  }
  const groups = createGroupCommit<NewEvent, WriteOutcome>(config, async (events) => {
    const startedAt = performance.now()
    try {
      const outcomes = await writeAll(isBulk(events) ? bulk : connection, events)
      statementMs += (performance.now() - startedAt - statementMs) * LAST_STATEMENT_SHARE
      onWritten(events, outcomes)
      return outcomes
    } finally {
      if (groups.size() === events.length) connection.release()
    }
  })
  return {
    async accept(event) {
      const outcome = await groups.add(event)
      if (outcome === null) return null
      if (outcome.outcome === 'refused') throw outcome.error
      return outcome
    },
    idle: () => groups.idle(),
  }
}

function isBulk(events: readonly NewEvent[]): boolean {
  return events.reduce((size, event) => size + sizeOf(event), 0) >= BULK_SIZE
}

async function writeAll(
  client: TransactionClient,
  events: readonly NewEvent[],
): Promise<WriteOutcome[]> {
  const { written, refused } = await writeRows(events, async (rows) => {
    const outcomes = await acceptEvents(client, rows)
    return rows.map((row, n) => ({ id: row.id, outcome: outcomes[n] as AcceptOutcome }))
  })
  const byId = new Map<string, WriteOutcome>(written.map(({ id, outcome }) => [id, outcome]))
  for (const { row, error } of refused) byId.set(row.id, { outcome: 'refused', error })
  return events.map(({ id }) => byId.get(id) as WriteOutcome)
}
