/**
 * What several of the model's statements do: the counts of events, the rows that become messages of
 * due deliveries, the end of a lease.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { KIND, LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import type { Transaction } from './database.ts'
import { publishDead } from './operational.ts'
import { countWithoutAttempt } from './outbox.ts'
import type { DeliveryRow } from './rows.ts'

export const LEASE_MICROS = LEASE_MS * 1_000
export const EVENT_KIND = KIND.event
export const DELIVERY_KIND = KIND.delivery
export const BACKLOG_KIND = KIND.backlog

const { delivering, waiting, delivered, dead } = STATE_CODE

export function isOpen(row: DeliveryRow | undefined): row is DeliveryRow {
  return row !== undefined && row.state !== delivered && row.state !== dead
}

export function laneKey({ endpointId, lane }: { endpointId: string; lane: string }): string {
  return `${endpointId} ${lane}`
}

type NewDelivery = Pick<
  DeliveryRow,
  'tenantId' | 'id' | 'eventId' | 'endpointId' | 'targetId' | 'seq' | 'priority' | 'lane'
>

export function delivery(made: NewDelivery): DeliveryRow {
  const fresh = { state: 0, stateBefore: 0, attempts: 0, attemptsBefore: 0 }
  return { ...made, ...fresh, edition: 0, endedAt: null, deadReason: null }
}

/** Whether a token is still that of a row of `due`. */
export function ownsLease(db: Transaction, id: string, token: number, guarded = true): boolean {
  if (db.due.get(id) === undefined) return false
  db.lock('due', id)
  const row = db.due.get(id)
  return row !== undefined && (!guarded || row.dueAt === token)
}

export function lease(
  db: Transaction,
  id: string,
  more: { targetId?: string | null } = {},
): number {
  const row = db.due.get(id)
  const dueAt = db.now + LEASE_MICROS
  if (row !== undefined) db.due.put(id, { ...row, dueAt, leased: true, ...more })
  return dueAt
}

/** Moves a delivery, as an UPDATE that waits for its row does. */
export function move(
  db: Transaction,
  id: string,
  may: (row: DeliveryRow) => boolean,
  change: (row: DeliveryRow) => Partial<DeliveryRow>,
): DeliveryRow | null {
  if (db.deliveries.get(id) === undefined) return null
  db.lock('deliveries', id)
  const row = db.deliveries.get(id)
  if (row === undefined || !may(row)) return null
  const after = { ...row, stateBefore: row.state, ...change(row) }
  db.deliveries.put(id, after)
  return after
}

type Carried = 'grow' | 'afresh' | 'others'

/** As `count-moved.ts`: an event's counts change by what was moved. */
export function countMoved(
  db: Transaction,
  moved: readonly DeliveryRow[],
  carried: Carried = 'grow',
): void {
  for (const [eventId, rows] of Map.groupBy(moved, (row) => row.eventId)) {
    db.lock('events', eventId)
    const event = db.events.get(eventId)
    if (event === undefined) continue
    const change = (code: (state: number) => boolean): number =>
      rows.reduce((sum, row) => sum + Number(code(row.state)) - Number(code(row.stateBefore)), 0)
    const open = event.open + change((state) => state !== delivered && state !== dead)
    const deadCount = event.dead + change((state) => state === dead)
    const after = {
      ...event,
      open,
      delivering: event.delivering + change((state) => state === delivering),
      waiting: event.waiting + change((state) => state === waiting),
      dead: deadCount,
      ...attemptsOf(db, event, rows, carried),
      endedAt: open === 0 ? db.now : null,
      deliveredAt: open === 0 && deadCount === 0 ? db.now : null,
    }
    db.events.put(eventId, after)
    if (carried === 'grow' && open < event.open && open === 0 && deadCount > 0)
      publishDead(db, after)
  }
}

/** As `countMoved`, for what ends without an attempt. */
export function countEnded(db: Transaction, moved: readonly DeliveryRow[]): void {
  countMoved(db, moved)
  if (!db.keeps('rollups: what ends without an attempt is counted')) return
  for (const { tenantId, id, eventId, endpointId, state, stateBefore } of moved) {
    const event = db.events.get(eventId)
    if (event === undefined || stateBefore === delivered || stateBefore === dead) continue
    if (state !== delivered && state !== dead) continue
    const { projectId } = event
    const counted = { tenantId, endpointId, projectId, deliveryId: id }
    countWithoutAttempt(db, state === dead ? 'dead' : 'acknowledged', counted)
  }
}

function attemptsOf(
  db: Transaction,
  event: { id: string; attempts: number; deadReason: string | null },
  rows: readonly DeliveryRow[],
  carried: Carried,
): { attempts: number; deadReason: string | null } {
  if (carried === 'afresh') return { attempts: 0, deadReason: null }
  if (carried === 'grow') {
    const attempts = Math.max(
      event.attempts,
      ...rows.map((row) => row.attempts - row.attemptsBefore),
    )
    return { attempts, deadReason: lastReason(rows) ?? event.deadReason }
  }
  const ids = new Set(rows.map(({ id }) => id))
  const others = db.deliveries
    .all()
    .filter((one) => one.eventId === event.id && one.endpointId !== null && !ids.has(one.id))
  const attempts = Math.max(0, ...others.map((row) => row.attempts - row.attemptsBefore))
  return { attempts, deadReason: lastReason(others) }
}

function lastReason(rows: readonly DeliveryRow[]): string | null {
  return rows.reduce<string | null>(
    (last, { deadReason }) =>
      deadReason !== null && (last === null || deadReason > last) ? deadReason : last,
    null,
  )
}

/** The columns `DUE_DELIVERY_COLUMNS`, with the token. */
export function dueDeliveryRow(db: Transaction, row: DeliveryRow, token: number): object {
  const event = db.events.get(row.eventId)
  return {
    tenant_id: row.tenantId,
    project_id: event?.projectId,
    event_id: row.eventId,
    delivery_id: row.id,
    endpoint_id: row.endpointId,
    lane: row.lane,
    destination: event?.destination ?? null,
    event_type: event?.eventType ?? null,
    payload: event?.payload ?? null,
    headers: event?.headers ?? null,
    priority: row.priority,
    seq: row.seq,
    attempts: row.attempts,
    attempts_before: row.attemptsBefore,
    edition: row.edition,
    max_attempts: event?.maxAttempts ?? null,
    trace_id: event?.traceId ?? '',
    token,
  }
}
