/**
 * The model of `renew-leases.ts`, `leadership.ts`, `record-attempts.ts`, `cancel-deliveries.ts`,
 * `sweep.ts` and `load-due-deliveries.ts` of the pipeline.
 */
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import { inputRows } from './input-rows.ts'
import type { Transaction } from './database.ts'
import type { Guard } from './guards.ts'
import {
  BACKLOG_KIND,
  countEnded,
  countMoved,
  ownsLease,
  isOpen,
  lease,
  LEASE_MICROS,
  move,
  dueDeliveryRow,
} from './parts.ts'
import { countEntry, whatOf } from './outbox.ts'
import type { DeliveryRow } from './rows.ts'
import type { Statement } from './statements.ts'

const { waiting, delivering, dead } = STATE_CODE
const BEGINNABLE = statesBefore('begin').filter((state) => state !== delivering)
const RECORDABLE = statesBefore('succeed')
const CANCELLABLE = statesBefore('cancel')

interface LeasedRow {
  id: string
  token: number
}

function leasedRows([, ids, tokens]: readonly unknown[]): LeasedRow[] {
  return (ids as string[]).map((id, index) => ({ id, token: (tokens as number[])[index] ?? 0 }))
}

function renewing(guard: Guard): Statement {
  return (db, values) =>
    leasedRows(values).flatMap(({ id, token }) =>
      ownsLease(db, id, token, db.keeps(guard)) ? [{ id, token: lease(db, id) }] : [],
    )
}

function begin(db: Transaction, values: readonly unknown[]): unknown[] {
  const guarded = db.keeps('beginning: the token')
  const owned = leasedRows(values).filter(({ id, token }) => ownsLease(db, id, token, guarded))
  const moved = owned.flatMap(
    ({ id }) =>
      move(
        db,
        id,
        (row) => BEGINNABLE.includes(row.state),
        () => ({ state: delivering }),
      ) ?? [],
  )
  countMoved(db, moved)
  return owned.map(({ id }) => ({ id, token: lease(db, id) }))
}

function release(db: Transaction, values: readonly unknown[]): unknown[] {
  const guarded = db.keeps('releasing: the token')
  return leasedRows(values).flatMap(({ id, token }) => {
    if (!ownsLease(db, id, token, guarded)) return []
    const row = db.due.get(id)
    if (row !== undefined) db.due.put(id, { ...row, dueAt: db.now, leased: false })
    return [{ id, token: db.now }]
  })
}

function acquireLeadership(db: Transaction, [name, owner, forMs]: readonly unknown[]): unknown[] {
  const key = name as string
  db.lock('leases', key)
  const known = db.leases.get(key)
  if (known !== undefined && known.owner !== owner && known.leasedUntil > db.now) return []
  const leasedUntil = db.now + (forMs as number) * 1_000
  db.leases.put(key, { name: key, owner: owner as string, leasedUntil })
  return [{}]
}

function resignLeadership(db: Transaction, [name, owner]: readonly unknown[]): unknown[] {
  const key = name as string
  if (db.leases.get(key)?.owner === owner) db.leases.delete(key)
  return []
}

interface AttemptInput {
  t: string
  id: string
  p: string
  g: string | null
  e: string
  d: string
  n: number
  s: number
  z: number
  a: number | null
  r: string | null
  o?: number
  w: number
}

function countAttempt(db: Transaction, { t, g, p, id, d, w }: AttemptInput): void {
  const counted = { tenantId: t, endpointId: g, projectId: p, attemptId: id, deliveryId: d }
  countEntry(db, whatOf(w), counted)
}

const ATTEMPT_COLUMNS = 't id p e d g v y u n s x ms us b h q z a r o w'

function record(db: Transaction, values: readonly unknown[]): unknown[] {
  const moved: DeliveryRow[] = []
  for (const one of inputRows<AttemptInput>(values, ATTEMPT_COLUMNS)) {
    const row = move(
      db,
      one.d,
      (before) =>
        (before.edition === (one.o ?? 0) || !db.keeps('recording: the edition that was sent')) &&
        (before.attempts === one.n - 1 || !db.keeps('recording: the number of tries')) &&
        (RECORDABLE.includes(before.state) || !db.keeps('recording: the delivery is open')),
      () => ({
        state: one.z,
        attempts: one.n,
        deadReason: one.r,
        endedAt: one.z === waiting ? null : db.now,
      }),
    )
    if (row === null) continue
    moved.push(row)
    const attempt = { id: one.id, eventId: one.e, deliveryId: one.d }
    db.attempts.put(one.id, {
      ...attempt,
      attemptNumber: one.n,
      statusCode: one.s,
      superseded: false,
    })
    if (db.keeps('rollups: attempts are counted')) countAttempt(db, one)
    const due = db.due.get(one.d)
    if (due === undefined) continue
    if (row.state !== waiting) {
      if (db.keeps('recording: what has ended is not due')) db.due.delete(one.d)
    } else if (db.keeps('recording: the next try gets its time')) {
      const dueAt = db.now + Math.round((one.a ?? 0) * 1_000)
      db.due.put(one.d, { ...due, dueAt, leased: false })
    }
  }
  if (db.keeps('recording: the counts of the event')) countMoved(db, moved)
  return moved.map(({ id, attempts }) => ({ id, attempts }))
}

function supersede(db: Transaction, [json]: readonly unknown[]): unknown[] {
  const moved: DeliveryRow[] = []
  const rows = (JSON.parse(json as string) as AttemptInput[]).flatMap((one) => {
    const row = move(
      db,
      one.d,
      (before) => before.edition > (one.o ?? 0),
      (before) => ({ state: before.state === delivering ? STATE_CODE.queued : before.state }),
    )
    if (row === null) return []
    if (row.state !== row.stateBefore) moved.push(row)
    const attempt = { id: one.id, eventId: one.e, deliveryId: one.d, superseded: true }
    const isNew = db.attempts.get(one.id) === undefined
    if (isNew) db.attempts.put(one.id, { ...attempt, attemptNumber: one.n, statusCode: one.s })
    const once = db.keeps('rollups: a superseded attempt is counted once')
    if (isNew || !once) countAttempt(db, one)
    return [{ id: one.d, open: isOpen(row) }]
  })
  countMoved(db, moved)
  return rows
}

/** @returns what was moved */
export function end(db: Transaction, id: string, reason: string): DeliveryRow | null {
  const guarded = db.keeps('cancelling: the delivery is open')
  return move(
    db,
    id,
    (row) => !guarded || CANCELLABLE.includes(row.state),
    () => ({ state: dead, endedAt: db.now, deadReason: reason }),
  )
}

function cancel(db: Transaction, [, ids, reasons]: readonly unknown[]): unknown[] {
  const moved = (ids as string[]).flatMap(
    (id, index) => end(db, id, (reasons as string[])[index] ?? '') ?? [],
  )
  for (const { id } of moved) db.due.delete(id)
  countEnded(db, moved)
  return []
}

function sweep(db: Transaction, [limit]: readonly unknown[]): unknown[] {
  const due = db.due
    .all()
    .filter((row) => row.dueAt <= db.now)
    .sort((a, b) => a.dueAt - b.dueAt)
    .slice(0, limit as number)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return due.map((row) => {
    const token = db.keeps('sweep: what is announced is leased') ? db.now + LEASE_MICROS : row.dueAt
    db.due.put(row.id, { ...row, dueAt: token, leased: true })
    const backlog = row.kind === BACKLOG_KIND ? db.backlogs.get(row.id) : undefined
    const { tenantId, id, kind } = row
    const [targetId, endpointId] = [backlog?.targetId ?? null, backlog?.endpointId ?? null]
    return { tenantId, id, kind, token, targetId, endpointId }
  })
}

/** How soon there is something for a sweep. */
function nextDue(db: Transaction): unknown[] {
  const soon = db.now + DUE_SOON_MS * 1_000
  const times = db.due.all().flatMap((row) => (row.dueAt <= soon ? [row.dueAt] : []))
  return times.length === 0 ? [] : [{ inMs: (Math.min(...times) - db.now) / 1_000 }]
}

function dropDue(db: Transaction, values: readonly unknown[]): unknown[] {
  const guarded = db.keeps('sweep: its token before it drops a row')
  const any = !db.keeps('sweep: it drops only what has ended')
  const partitions = values[3] as string[]
  for (const [index, { id, token }] of leasedRows(values).entries()) {
    if (!ownsLease(db, id, token, guarded)) continue
    const delivery = db.deliveries.get(id)
    const hasEnded = delivery !== undefined && !isOpen(delivery)
    const isBacklog = db.due.get(id)?.kind === BACKLOG_KIND
    if (any || isBacklog || hasEnded || db.isGone(partitions[index] ?? '')) db.due.delete(id)
  }
  return []
}

function loadDeliveries(db: Transaction, values: readonly unknown[]): unknown[] {
  return leasedRows(values)
    .flatMap(({ id, token }) => {
      const row = db.deliveries.get(id)
      return isOpen(row) ? [{ row, token }] : []
    })
    .sort((a, b) => a.row.seq - b.row.seq)
    .map(({ row, token }) => dueDeliveryRow(db, row, token))
}

/** What the deliveries of an event carry of it. */
function loadEvents(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  return (ids as string[]).flatMap((id) => {
    const event = db.events.get(id)
    if (event === undefined) return []
    return [
      {
        event_id: id,
        project_id: event.projectId,
        destination: event.destination,
        event_type: event.eventType,
        payload: event.payload,
        headers: event.headers,
        max_attempts: event.maxAttempts,
        trace_id: event.traceId,
      },
    ]
  })
}

function loadPayloads(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  return (ids as string[]).flatMap((id) => {
    const event = db.events.get(id)
    return event === undefined ? [] : [{ id, payload: event.payload }]
  })
}

/** As after a resume or a deletion. */
function wakeTarget(db: Transaction, [, targetId, all]: readonly unknown[]): unknown[] {
  for (const row of db.due.all()) {
    if (row.dueAt <= db.now) continue
    const isFree = !row.leased || !db.keeps('waking: not what somebody has')
    if (row.id === targetId || (all === true && row.targetId === targetId && isFree))
      db.due.put(row.id, { ...row, dueAt: db.now, leased: false })
  }
  return []
}

export const DELIVERING: Record<string, Statement> = {
  'renew-leases': renewing('renewal: the token'),
  'begin-attempts': begin,
  'release-leases': release,
  'acquire-leadership': acquireLeadership,
  'resign-leadership': resignLeadership,
  'record-attempts': record,
  'supersede-attempts': supersede,
  'cancel-deliveries': cancel,
  'next-due': nextDue,
  'sweep-due': sweep,
  'drop-due': dropDue,
  'load-deliveries': loadDeliveries,
  'load-events': loadEvents,
  'load-payloads': loadPayloads,
  'wake-target': wakeTarget,
  'queue-depth': (db) => [
    { due: 0, scheduled: db.due.all().length, parked: db.parked.all().length, oldestDueSeconds: 0 },
  ],
}
