/** The model of `lanes.ts` of the pipeline, and of what ends behind a head. */
import type { Transaction } from './database.ts'
import { end } from './delivering.ts'
import {
  countEnded,
  DELIVERY_KIND,
  ownsLease,
  isOpen,
  LEASE_MICROS,
  laneKey,
  dueDeliveryRow,
} from './parts.ts'
import type { DeliveryRow, LaneRow } from './rows.ts'
import type { Statement } from './statements.ts'

function lanesOf([, endpoints, lanes]: readonly unknown[]): string[] {
  const keys = (endpoints as string[]).map((endpointId, index) =>
    laneKey({ endpointId, lane: (lanes as string[])[index] ?? '' }),
  )
  return [...new Set(keys)].sort()
}

function lockLanes(db: Transaction, values: readonly unknown[]): unknown[] {
  if (!db.keeps('lane: its row is locked')) return []
  for (const key of lanesOf(values)) {
    if (db.lanes.get(key) === undefined) continue
    db.lock('lanes', key)
  }
  return []
}

function lockHeads(db: Transaction, values: readonly unknown[]): unknown[] {
  lockLanes(db, values)
  const [ids, tokens] = [values[3] as string[], values[4] as number[]]
  const guarded = db.keeps('lane: the token of its head')
  const owned = ids.flatMap((id, index) => {
    if (!ownsLease(db, id, tokens[index] ?? 0, guarded)) return guarded ? [] : [{ id }]
    const row = db.due.get(id)
    if (row !== undefined) db.due.put(id, { ...row, leased: true })
    return [{ id }]
  })
  return owned
}

function waitingIn(db: Transaction, lane: LaneRow): { key: string; deliveryId: string }[] {
  const key = laneKey(lane)
  return db.laneWaiting
    .all()
    .filter((row) => laneKey(row) === key)
    .sort((a, b) => a.position - b.position)
    .map(({ position, deliveryId }) => ({ key: `${key} ${position}`, deliveryId }))
}

function releaseNext(db: Transaction, values: readonly unknown[]): unknown[] {
  const toCaller = values[3] as boolean
  const heads: DeliveryRow[] = []
  for (const key of lanesOf(values)) {
    const lane = db.lanes.get(key)
    if (lane === undefined) continue
    const headIsOpen = isOpen(db.deliveries.get(lane.head ?? ''))
    if (headIsOpen && db.keeps('lane: the next only after its head')) continue
    const waiting = waitingIn(db, lane)
    if (!db.keeps('lane: the next in its order')) waiting.reverse()
    const at = waiting.findIndex(({ deliveryId }) => isOpen(db.deliveries.get(deliveryId)))
    const next = waiting[at]
    const passed = next === undefined ? waiting : waiting.slice(0, at + 1)
    for (const row of passed) db.laneWaiting.delete(row.key)
    const head = next === undefined ? undefined : db.deliveries.get(next.deliveryId)
    if (head === undefined) db.lanes.delete(key)
    else {
      db.lanes.put(key, { ...lane, head: head.id })
      heads.push(head)
    }
  }
  return heads
    .sort((a, b) => a.seq - b.seq)
    .map((head) => dueDeliveryRow(db, head, leaseHead(db, head, toCaller)))
}

function leaseHead(db: Transaction, head: DeliveryRow, leased: boolean): number {
  const { tenantId, id, targetId } = head
  const dueAt = leased ? db.now + LEASE_MICROS : db.now
  const row = { tenantId, id, kind: DELIVERY_KIND, targetId, seq: null }
  db.due.put(id, { ...row, ...db.due.get(id), dueAt, leased })
  return dueAt
}

function cancelBehind(db: Transaction, values: readonly unknown[]): unknown[] {
  const [, endpoints, lanes, reasons] = values as [string[], string[], string[], string[]]
  const moved = endpoints.flatMap((endpointId, index) => {
    const lane = db.lanes.get(laneKey({ endpointId, lane: lanes[index] ?? '' }))
    if (lane === undefined) return []
    return waitingIn(db, lane).flatMap(({ key, deliveryId }) => {
      db.laneWaiting.delete(key)
      return end(db, deliveryId, reasons[index] ?? '') ?? []
    })
  })
  countEnded(db, moved)
  return []
}

/** The model makes no lane without a row, so only lanes whose head waits nowhere are found. */
function findStuck(db: Transaction): unknown[] {
  return db.lanes
    .all()
    .filter(({ head }) => db.due.get(head ?? '') === undefined)
    .filter(({ head }) => db.parked.get(head ?? '') === undefined)
    .map(({ tenantId, endpointId, lane }) => ({ tenantId, endpointId, lane }))
}

function resume(db: Transaction, values: readonly unknown[]): unknown[] {
  for (const key of lanesOf(values)) {
    const head = db.deliveries.get(db.lanes.get(key)?.head ?? '')
    if (!isOpen(head) || db.parked.get(head.id) !== undefined) continue
    if (db.due.get(head.id) === undefined) leaseHead(db, head, false)
  }
  return []
}

export const LANES: Record<string, Statement> = {
  'lock-lanes': lockLanes,
  'lock-heads': lockHeads,
  'release-next': releaseNext,
  'cancel-behind': cancelBehind,
  'find-stuck-lanes': findStuck,
  'resume-lanes': resume,
}
