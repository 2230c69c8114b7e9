/** Editing and replaying events: `requeue.ts` queues them again, and the caller announces them. */
import type { DueDelivery, PollReady } from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { directTargetId } from '@posthorn/domain/target'
import type { Pool } from '../pool.ts'
import { withRetries, storable } from '../repeat.ts'
import { inTransaction, type TransactionClient } from '../transaction.ts'
import { fanOutAgain } from './fan-out-failures.ts'
import { KIND } from './sql/lease.ts'
import {
  type Refusal,
  type RequeueOutcome,
  type RequeuedDelivery,
  requeue,
  requeueInLanes,
  requeueOthers,
  mergeRequeues,
} from './requeue.ts'
import { loadDueDeliveries } from './load-due-deliveries.ts'

export interface ReplayOutcome {
  /** Events with any delivery that was queued again. */
  eventIds: Set<string>
  /** Why other deliveries in states that may be replayed were left as they are. */
  refusals: Set<Refusal>
  /** The caller announces both. */
  work: DueDelivery[]
  polls: PollReady[]
}

/** @param record is called in the transaction of the first change; where there is none, never */
export async function replayEvents(
  pool: Pool,
  tenantId: string,
  eventIds: readonly string[],
  record?: RecordChange,
): Promise<ReplayOutcome> {
  const step = createSteps(pool, record)
  const requeues = (client: TransactionClient) => requeueOthers(client, tenantId, eventIds)
  const { inLanes, ...others } = await step(requeues, ({ rows }) => rows.length)
  const heads =
    inLanes.length === 0
      ? null
      : await step(
          (client) => requeueInLanes(client, tenantId, inLanes, 'afresh'),
          ({ rows }) => rows.length,
        )
  const requeued = heads === null ? { ...others, released: [] } : mergeRequeues(others, heads)
  const replayed = await toReplayed(pool, tenantId, requeued)
  const again = (client: TransactionClient) => fanOutAgain(client, tenantId, eventIds)
  for (const eventId of await step(again, ({ length }) => length)) replayed.eventIds.add(eventId)
  return replayed
}

/** Writes down, in the transaction of a change, that it was made. */
export type RecordChange = (client: TransactionClient) => Promise<void>

/** Each step of a replay is a transaction of its own; the first change is recorded with it. */
function createSteps(pool: Pool, record: RecordChange = async () => {}) {
  let isRecorded = false
  return async <Result extends object>(
    work: (client: TransactionClient) => Promise<Result>,
    countChanged: (result: Result) => number,
  ): Promise<Result> => {
    const done = await withRetries(() =>
      inTransaction(pool, async (client) => {
        const result = await work(client)
        const isChanged = countChanged(result) > 0
        if (isChanged && !isRecorded) await record(client)
        return { result, isChanged }
      }),
    )
    if (done === null) throw new Error('a step of a replay was undone')
    isRecorded ||= done.isChanged
    return done.result
  }
}

export interface EventEdit {
  /** For a direct event; an event by type has none and keeps none. */
  destination?: string
  /** JSON text. */
  payload?: string
  /** JSON text. */
  headers?: string
}

export type EditOutcome =
  | { outcome: 'edited'; replayed: ReplayOutcome | null }
  | { outcome: 'wrong-state'; refusals: ReadonlySet<Refusal> }

/**
 * Edits an event that is failed or dead, and replays it when asked to, all or nothing. With a
 * replay it is enough that any of its deliveries can be replayed.
 *
 * @param record is called in the transaction of the edit
 */
export async function editEvent(
  pool: Pool,
  tenantId: string,
  eventId: string,
  edit: EventEdit,
  replay: boolean,
  record?: RecordChange,
): Promise<EditOutcome> {
  const { done, requeued } = await withRetries(() =>
    editAndRequeue(pool, tenantId, eventId, edit, replay, record),
  )
  if (!done) return { outcome: 'wrong-state', refusals: requeued.refusals }
  return { outcome: 'edited', replayed: replay ? await toReplayed(pool, tenantId, requeued) : null }
}

async function editAndRequeue(
  pool: Pool,
  tenantId: string,
  eventId: string,
  edit: EventEdit,
  replay: boolean,
  record: RecordChange | undefined,
): Promise<{ done: boolean; requeued: RequeueOutcome }> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    // Deliveries are locked before events, as everywhere. From here on the results of attempts and
    // fetches of the old edition count for nothing.
    const isChanged = Object.values(edit).some((value) => value !== undefined)
    if (isChanged) await client.query(NEXT_EDITION, [tenantId, eventId])
    const edited = await client.query(EDIT, [
      tenantId,
      eventId,
      storableOrNull(edit.destination),
      storableOrNull(edit.payload),
      storableOrNull(edit.headers),
      replay,
    ])
    if (edited.rowCount === 1 && edit.destination !== undefined) {
      const target = directTargetId(tenantId, edit.destination)
      await client.query(RETARGET, [tenantId, eventId, target])
    }
    const again = edited.rowCount === 1 && replay
    const requeued: RequeueOutcome = again
      ? await requeue(client, tenantId, [eventId])
      : { rows: [], refusals: new Set(), released: [] }
    const aside = again ? await fanOutAgain(client, tenantId, [eventId]) : []
    const isReplayed = requeued.rows.length + aside.length > 0
    const done = edited.rowCount === 1 && (!replay || isReplayed)
    if (done) await record?.(client)
    await client.query(done ? 'COMMIT' : 'ROLLBACK')
    broken = false
    return { done, requeued }
  } finally {
    client.release(broken)
  }
}

function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storable(text)
}

async function toReplayed(
  pool: Pool,
  tenantId: string,
  { rows, refusals, released }: RequeueOutcome,
): Promise<ReplayOutcome> {
  const leased = rows.flatMap(({ id, token }) => (token === null ? [] : [{ tenantId, id, token }]))
  const work = [...(await loadDueDeliveries(pool, leased)), ...released]
  const polls = toPolls(tenantId, rows)
  return { eventIds: new Set(rows.map((row) => row.eventId)), refusals, work, polls }
}

/** One announcement per endpoint. */
export function toPolls(tenantId: string, rows: readonly RequeuedDelivery[]): PollReady[] {
  const endpoints = new Set(rows.flatMap(({ polledAt }) => polledAt ?? []))
  return [...endpoints].map((endpointId) => ({ v: 1, tenantId, endpointId }))
}

const { delivered, dead } = STATE_CODE

// This statement and the next two have no name, so that they are planned with their values each
// time: `partition-bounds.ts` tells why.
const NEXT_EDITION = `UPDATE deliveries SET edition = edition + 1
  WHERE tenant_id = $1 AND state <> ${delivered}
    AND (id = $2 AND endpoint_id IS NULL OR event_id = $2 AND endpoint_id IS NOT NULL)`

// Failed or dead as `eventStatus` has it: nothing is in flight, and something waits, or nothing is
// open and something is dead.
const EDIT = `UPDATE events SET
  destination = CASE WHEN event_type IS NULL THEN coalesce($3, destination) END,
  payload = coalesce($4, payload), headers = coalesce($5, headers)
WHERE tenant_id = $1 AND id = $2 AND (
  CASE WHEN $6::boolean THEN waiting_count + dead_count > 0
    ELSE delivering_count = 0 AND (waiting_count > 0 OR open_count = 0 AND dead_count > 0) END)`

// Parked at the old target, the delivery would wait for a destination that it no longer goes to.
const RETARGET = `WITH unparked AS (
  DELETE FROM parked p USING deliveries d
  WHERE d.tenant_id = $1 AND d.id = $2 AND d.endpoint_id IS NULL AND d.target_id <> $3
    AND p.tenant_id = d.tenant_id AND p.target_id = d.target_id AND p.priority = d.priority
    AND p.seq = d.seq AND p.delivery_id = d.id
  RETURNING d.state
), again AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT $1, $2, ${KIND.delivery}, now(), false, $3
  FROM unparked WHERE state NOT IN (${delivered}, ${dead})
  ON CONFLICT DO NOTHING
)
UPDATE deliveries SET target_id = $3 WHERE tenant_id = $1 AND id = $2 AND endpoint_id IS NULL`
