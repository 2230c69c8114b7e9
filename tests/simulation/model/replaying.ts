/** The model of a replay: `requeue.ts`, for deliveries that are not in poll mode. */
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Transaction } from './database.ts'
import { MAX_TOTAL_ATTEMPTS } from '@posthorn/domain/classify-attempt'
import { dayOfId } from './partitions.ts'
import { countMoved, DELIVERY_KIND, LEASE_MICROS, laneKey, move } from './parts.ts'
import type { DeliveryRow } from './rows.ts'
import type { Statement } from './statements.ts'

const REPLAYABLE = statesBefore('replay')

function isReplayable(db: Transaction): (row: DeliveryRow) => boolean {
  const all = !db.keeps('replay: only of what may be replayed')
  return (row) => all || REPLAYABLE.includes(row.state)
}

type Refusal = 'removed' | 'attempts'

/** As `ALLOWED`: it takes the shared locks of both days until the transaction ends. */
function refusalOf(db: Transaction, { id, eventId, attempts }: DeliveryRow): Refusal | null {
  if (attempts >= MAX_TOTAL_ATTEMPTS) return 'attempts'
  const locked = [id, eventId].map((one) => db.partitions.lockShared(`day ${dayOfId(one)}`))
  if (locked.includes(false) && db.keeps('replay: not of a day that is taken out')) return 'removed'
  const isThere = db.events.get(eventId) !== undefined
  return isThere || !db.keeps('replay: only with its event') ? null : 'removed'
}

function queuedAgain(db: Transaction, id: string): DeliveryRow | null {
  return move(db, id, isReplayable(db), (row) => ({
    state: STATE_CODE.queued,
    attemptsBefore: db.keeps('replay: attempts are counted anew')
      ? row.attempts
      : row.attemptsBefore,
    endedAt: null,
    deadReason: null,
  }))
}

function requeue(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  const events = new Set(ids as string[])
  const found = db.deliveries
    .all()
    .filter((row) => events.has(row.eventId) && isReplayable(db)(row))
    .map((row) => ({ ...row, refused: refusalOf(db, row) }))
  const inLanes = found.filter((row) => row.lane !== null || row.refused !== null)
  const moved = found.flatMap(({ id, lane, refused }) =>
    lane === null && refused === null ? (queuedAgain(db, id) ?? []) : [],
  )
  countMoved(db, moved, 'afresh')
  const rows = moved.map((row) => {
    const { tenantId, id, eventId, endpointId, targetId } = row
    const token = db.now + LEASE_MICROS
    const due = { kind: DELIVERY_KIND, seq: null, ...db.due.get(id), tenantId, id, targetId }
    db.parked.delete(id)
    db.due.put(id, { ...due, dueAt: token, leased: true })
    return { id, eventId, token, polledAt: null, endpointId, lane: null, refused: null }
  })
  const others = inLanes.map(({ id, eventId, endpointId, lane, refused }) => {
    return { id, eventId, token: null, polledAt: null, endpointId, lane, refused }
  })
  return [...rows, ...others]
}

function requeueInLanes(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  const found = (ids as string[])
    .flatMap((id) => db.deliveries.get(id) ?? [])
    .filter(isReplayable(db))
    .map((row) => ({ row, refused: refusalOf(db, row) }))
  const moved = found.flatMap(({ row, refused }) =>
    refused === null ? (queuedAgain(db, row.id) ?? []) : [],
  )
  countMoved(db, moved, 'afresh')
  for (const { id } of moved) {
    db.due.delete(id)
    db.parked.delete(id)
  }
  const byLane = Map.groupBy(moved, ({ endpointId, lane }) =>
    laneKey({ endpointId: endpointId ?? '', lane: lane ?? '' }),
  )
  for (const [key, rows] of byLane) {
    const [first] = rows
    if (first === undefined) continue
    const { tenantId, endpointId, lane } = first
    const known = db.lanes.get(key)
    let tail = known?.tail ?? 0
    const head = rows.some(({ id }) => id === known?.head) ? null : (known?.head ?? null)
    const where = { tenantId, endpointId: endpointId ?? '', lane: lane ?? '' }
    for (const { id } of rows.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1))) {
      tail += 1
      db.laneWaiting.put(`${key} ${tail}`, { ...where, position: tail, deliveryId: id })
    }
    db.lanes.put(key, { ...where, head, tail })
  }
  return [
    ...moved.map(({ id, eventId }) => ({ id, eventId, refused: null })),
    ...found.flatMap(({ row: { id, eventId }, refused }) =>
      refused === null ? [] : [{ id, eventId, refused }],
    ),
  ]
}

function nextEdition(db: Transaction, [, eventId]: readonly unknown[]): unknown[] {
  if (!db.keeps('edit: a new edition')) return []
  return db.deliveries
    .all()
    .filter((row) => row.eventId === eventId)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id }) => {
      const again = (row: DeliveryRow) => ({
        edition: row.edition + 1,
        stateBefore: row.stateBefore,
      })
      return move(db, id, ({ state }) => state !== STATE_CODE.delivered, again) ?? []
    })
}

/** Edits the payload, which is all that runs edit. */
function edit(db: Transaction, values: readonly unknown[]): unknown[] {
  const [, id, , payload, , replay] = values as [string, string, unknown, string, unknown, boolean]
  db.lock('events', id)
  const event = db.events.get(id)
  if (event === undefined) return []
  const { open, waiting, delivering, dead } = event
  const isFailed = delivering === 0 && (waiting > 0 || (open === 0 && dead > 0))
  if (replay ? waiting + dead === 0 : !isFailed) return []
  const deliveredUnedited = db.deliveries
    .all()
    .filter((row) => row.eventId === id && row.state === STATE_CODE.delivered)
    .map((row) => row.id)
  db.events.put(id, { ...event, payload: payload ?? event.payload, deliveredUnedited })
  return [{}]
}

export const REPLAYING: Record<string, Statement> = {
  'next-edition': nextEdition,
  'edit-event': edit,
  requeue,
  'requeue-in-lanes afresh': requeueInLanes,
}
