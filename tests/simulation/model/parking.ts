/**
 * The model of `backlogs.ts`, `follow-mode.ts` and `expire-parked.ts` of the pipeline: parked
 * deliveries and backlogs.
 */
import { VISIBLE_PRIORITY } from '@posthorn/store/pipeline/sql/poll-mode'
import type { Transaction } from './database.ts'
import { end } from './delivering.ts'
import {
  BACKLOG_KIND,
  countEnded,
  DELIVERY_KIND,
  ownsLease,
  isOpen,
  lease,
  LEASE_MICROS,
  dueDeliveryRow,
} from './parts.ts'
import type { BacklogRow, ParkedRow } from './rows.ts'
import type { Statement } from './statements.ts'

interface ParkInput {
  t: string
  d: string
  e: string
  k: number
  g: string
  n: string | null
  r: number
  s: number
}

function park(db: Transaction, [json]: readonly unknown[]): unknown[] {
  const guarded = db.keeps('parking: the token')
  const input = JSON.parse(json as string) as ParkInput[]
  const gone = input.filter(({ d, k }) => ownsLease(db, d, k, guarded))
  const targets = new Map<string, ParkInput>()
  for (const one of gone) {
    db.due.delete(one.d)
    const where = { tenantId: one.t, targetId: one.g, priority: one.r, seq: one.s }
    db.parked.put(one.d, { ...where, deliveryId: one.d, eventId: one.e, parkedAt: db.now })
    targets.set(one.g, one)
  }
  if (!db.keeps('parking: a backlog row')) return []
  return [...targets.values()]
    .sort((a, b) => (a.g < b.g ? -1 : 1))
    .flatMap(({ t: tenantId, g: targetId, n: endpointId }) => {
      db.lock('backlogs', targetId)
      const known = db.backlogs.get(targetId)
      if (known !== undefined) {
        db.backlogs.put(targetId, { ...known, parks: known.parks + 1 })
        return []
      }
      const made = { tenantId, targetId, endpointId, epoch: db.nextEpoch(), parks: 1 }
      db.backlogs.put(targetId, made)
      const token = putDue(db, made, db.now + LEASE_MICROS, true)
      return [{ tenantId, targetId, endpointId, epoch: made.epoch, token }]
    })
}

function putDue(db: Transaction, backlog: BacklogRow, dueAt: number, leased: boolean): number {
  const { tenantId, targetId } = backlog
  const row = { tenantId, id: targetId, kind: BACKLOG_KIND, targetId, seq: null }
  db.due.put(targetId, { ...row, dueAt, leased })
  return dueAt
}

function takeBacklog(db: Transaction, [, targetId, token]: readonly unknown[]): unknown[] {
  const id = targetId as string
  if (!ownsLease(db, id, token as number, db.keeps('backlog: the token of who takes it'))) return []
  const renewed = lease(db, id)
  const backlog = db.backlogs.get(id)
  if (backlog === undefined) return []
  const epoch = db.nextEpoch()
  db.backlogs.put(id, { ...backlog, epoch })
  return [{ epoch, token: renewed }]
}

function isOwner(backlog: BacklogRow | undefined, epoch: unknown, guarded: boolean): boolean {
  return backlog !== undefined && (!guarded || backlog.epoch === epoch)
}

/** By priority, then in the order of acceptance. */
function inOrder(a: ParkedRow, b: ParkedRow): number {
  return a.priority - b.priority || a.seq - b.seq || (a.deliveryId < b.deliveryId ? -1 : 1)
}

function takeParked(db: Transaction, values: readonly unknown[]): unknown[] {
  const [, targetIds, epochs, limits] = values as [string[], string[], number[], number[]]
  return targetIds.flatMap((targetId, at) => takeOf(db, targetId, epochs[at] ?? 0, limits[at] ?? 0))
}

function takeOf(db: Transaction, targetId: string, epoch: number, limit: number): unknown[] {
  const backlog = db.backlogs.get(targetId)
  if (!isOwner(backlog, epoch, db.keeps('backlog: the epoch of who takes from it'))) return []
  const gone = db.parked
    .all()
    .filter((row) => row.targetId === targetId)
    .sort(inOrder)
    .slice(0, limit)
    .filter((row) => db.parked.delete(row.deliveryId))
  const counts = { owned_id: targetId, parks: backlog?.parks, unparked: gone.length }
  const all = !db.keeps('backlog: what is taken is open')
  const taken = gone.flatMap(({ deliveryId }) => {
    const row = db.deliveries.get(deliveryId)
    if (row === undefined || (!all && !isOpen(row))) return []
    const token = db.now + LEASE_MICROS
    const due = { tenantId: row.tenantId, id: row.id, kind: DELIVERY_KIND, dueAt: token }
    if (db.keeps('backlog: what is taken is leased'))
      db.due.put(row.id, { seq: null, ...db.due.get(row.id), ...due, leased: true, targetId })
    return [{ ...counts, ...dueDeliveryRow(db, row, token) }]
  })
  return taken.length > 0
    ? taken.sort((a, b) => inOrder(a as unknown as ParkedRow, b as unknown as ParkedRow))
    : [{ ...counts, delivery_id: null }]
}

function finishBacklog(db: Transaction, values: readonly unknown[]): unknown[] {
  const [, targetId, epoch, parks] = values as [string, string, number, number]
  db.lock('backlogs', targetId)
  const backlog = db.backlogs.get(targetId)
  if (!isOwner(backlog, epoch, db.keeps('backlog: the epoch of who ends it'))) return []
  if (backlog?.parks !== parks && db.keeps('backlog: the parkings seen by who ends it')) return []
  db.backlogs.delete(targetId)
  db.due.delete(targetId)
  return [{}]
}

function postpone(db: Transaction, values: readonly unknown[]): unknown[] {
  const [, id, token, afterMs] = values as [string, string, number, number]
  if (!ownsLease(db, id, token, db.keeps('backlog: the token of who lets go of it'))) return []
  const row = db.due.get(id)
  const dueAt = db.now + Math.round(afterMs * 1_000)
  if (row !== undefined) db.due.put(id, { ...row, dueAt, leased: false })
  return []
}

function repairBacklogs(db: Transaction): unknown[] {
  const repaired: unknown[] = []
  for (const [targetId, rows] of Map.groupBy(db.parked.all(), (row) => row.targetId)) {
    const [first] = rows
    const isPolled = db.endpoints.get(targetId)?.config.deliveryMode === 'poll'
    const isVisible = rows.every(({ priority }) => priority === VISIBLE_PRIORITY)
    if (first === undefined || db.backlogs.get(targetId) !== undefined || (isVisible && isPolled))
      continue
    const endpointId = db.deliveries.get(first.deliveryId)?.endpointId ?? null
    db.backlogs.put(targetId, {
      tenantId: first.tenantId,
      targetId,
      endpointId,
      epoch: db.nextEpoch(),
      parks: 1,
    })
  }
  for (const backlog of db.backlogs.all()) {
    if (db.due.get(backlog.targetId) !== undefined) continue
    putDue(db, backlog, db.now, false)
    repaired.push({})
  }
  return repaired
}

const DAY_MICROS = 86_400_000_000

function expireParked(db: Transaction, [days, limit]: readonly unknown[]): unknown[] {
  const before = db.now - (days as number) * DAY_MICROS
  const gone = db.parked
    .all()
    .filter((row) => row.parkedAt < before)
    .slice(0, limit as number)
  const moved = gone.flatMap((row) => {
    db.parked.delete(row.deliveryId)
    return end(db, row.deliveryId, 'expired') ?? []
  })
  countEnded(db, moved)
  const lanes = moved.flatMap(({ tenantId, endpointId, lane }) =>
    lane === null ? [] : [{ tenantId, endpointId, lane }],
  )
  return [{ unparked: gone.length, lanes: lanes.length === 0 ? null : lanes }]
}

function followMode(db: Transaction, [tenantId, targetId]: readonly unknown[]): unknown[] {
  const [tenant, id] = [tenantId as string, targetId as string]
  if (db.parked.all().some((row) => row.targetId === id)) {
    const made = { tenantId: tenant, targetId: id, endpointId: id, epoch: db.nextEpoch(), parks: 1 }
    if (db.backlogs.get(id) === undefined) db.backlogs.put(id, made)
    putDue(db, made, db.now, false)
  }
  for (const row of db.due.all()) {
    if (row.targetId === id && row.kind === DELIVERY_KIND && !row.leased && row.dueAt > db.now)
      db.due.put(row.id, { ...row, dueAt: db.now })
  }
  return []
}

export const PARKING: Record<string, Statement> = {
  'park-deliveries': park,
  'take-backlog': takeBacklog,
  'take-parked': takeParked,
  'finish-backlog': finishBacklog,
  'postpone-backlog': postpone,
  'repair-backlogs': repairBacklogs,
  'expire-parked': expireParked,
  // A run is too short for anything to expire in a lane.
  'find-expired-lanes': () => [],
  'follow-mode': followMode,
}
