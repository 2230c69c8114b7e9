/**
 * The model of accepting and fanning out: `accept-events.ts`, `fan-out.ts` and
 * `fan-out-failures.ts` of the pipeline.
 */
import { VISIBLE_PRIORITY } from '@posthorn/store/pipeline/sql/poll-mode'
import { inputRows } from './input-rows.ts'
import type { Transaction } from './database.ts'
import { publishDead } from './operational.ts'
import { delivery, DELIVERY_KIND, EVENT_KIND, LEASE_MICROS, laneKey } from './parts.ts'
import { countWithoutAttempt } from './outbox.ts'
import type { EventRow } from './rows.ts'
import { dayOfId } from './partitions.ts'
import type { Statement } from './statements.ts'

interface NewEventRow {
  t: string
  id: string
  p: string
  k: string
  d: string | null
  g: string | null
  y: string | null
  b: string
  h: string | null
  m: number | null
  r: number
  c: string
  s: number
  e?: string[]
}

const EVENT_COLUMNS = 'n t id p o k d g y b h m r c s e w'

function accept(db: Transaction, values: readonly unknown[]): unknown[] {
  const rows: unknown[] = []
  for (const one of inputRows<NewEventRow>(values, EVENT_COLUMNS)) {
    const key = `${one.t} ${one.k}`
    if (db.keeps('one event for each idempotency key')) {
      // Whoever inserts the same key waits for the other's end.
      db.lock('keys', key)
      if (db.keys.get(key) !== undefined) continue
    }
    db.keys.put(key, { tenantId: one.t, key: one.k, eventId: one.id })
    rows.push(insertEvent(db, one))
  }
  return rows
}

function insertEvent(db: Transaction, one: NewEventRow): unknown {
  const seq = db.nextSeq()
  const isDirect = one.d !== null
  db.events.put(one.id, {
    tenantId: one.t,
    id: one.id,
    seq,
    projectId: one.p,
    destination: one.d,
    eventType: one.y,
    endpointIds: one.e ?? null,
    payload: one.b,
    headers: one.h,
    maxAttempts: one.m,
    priority: one.r,
    traceId: one.c,
    fannedOutAt: isDirect ? db.now : null,
    open: isDirect ? 1 : 0,
    delivering: 0,
    waiting: 0,
    dead: 0,
    attempts: 0,
    deliveredAt: null,
    endedAt: null,
    deadReason: null,
    deliveredUnedited: [],
  })
  if (isDirect) {
    const made = { tenantId: one.t, id: one.id, eventId: one.id, endpointId: null, lane: null }
    db.deliveries.put(one.id, delivery({ ...made, targetId: one.g ?? '', seq, priority: one.r }))
  }
  countWithoutAttempt(db, 'accepted', { tenantId: one.t, projectId: one.p })
  const dueAt = db.now + (one.s > 0 ? one.s * 1_000_000 : LEASE_MICROS)
  const kind = isDirect ? DELIVERY_KIND : EVENT_KIND
  const place = { targetId: one.g, seq: isDirect ? null : seq }
  db.due.put(one.id, { tenantId: one.t, id: one.id, kind, dueAt, leased: one.s === 0, ...place })
  return { id: one.id, seq, token: dueAt }
}

function firstEvents(db: Transaction, [tenants, keys]: readonly unknown[]): unknown[] {
  return (tenants as string[]).flatMap((tenant, index) => {
    const row = db.keys.get(`${tenant} ${(keys as string[])[index]}`)
    return row === undefined
      ? []
      : [{ tenant_id: row.tenantId, key: row.key, event_id: row.eventId }]
  })
}

function waitingEvent(db: Transaction, event: EventRow): unknown {
  const { tenantId, id, projectId, eventType, payload, headers, maxAttempts } = event
  const { priority, seq, traceId, endpointIds } = event
  const configVersion = db.tenants.get(tenantId)?.configVersion
  const what = { tenantId, id, projectId, eventType, payload, headers, maxAttempts }
  return { ...what, endpointIds, priority, seq, traceId, configVersion }
}

function readWaiting(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  return (ids as string[])
    .flatMap((id) => db.events.get(id) ?? [])
    .filter(isWaiting(db))
    .sort((a, b) => a.seq - b.seq)
    .map((event) => waitingEvent(db, event))
}

function isWaiting(db: Transaction): (event: EventRow) => boolean {
  const all = !db.keeps('fan-out: only of events that wait for it')
  return (event) => all || event.fannedOutAt === null
}

function lockTenant(db: Transaction, [tenantId]: readonly unknown[]): unknown[] {
  if (db.keeps('fan-out: the tenant is locked')) db.lock('tenants', tenantId as string)
  return [{}]
}

function oldestWaiting(
  db: Transaction,
  [tenantId, limit]: readonly unknown[],
): { eventId: string }[] {
  return db.due
    .all()
    .filter((row) => row.tenantId === tenantId && row.kind === EVENT_KIND && row.leased)
    .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    .slice(0, limit as number)
    .map(({ id }) => ({ eventId: id }))
}

function oldestOfTenants(db: Transaction, [tenants, limits]: readonly unknown[]): unknown[] {
  return (tenants as string[]).flatMap((tenantId, index) =>
    oldestWaiting(db, [tenantId, (limits as number[])[index]]).map((row) => ({ tenantId, ...row })),
  )
}

interface Made {
  t: string
  e: string
  d: string
  g: string
  l?: string
}

function fanOut(db: Transaction, [counts, made]: readonly unknown[]): unknown[] {
  const marked = new Map<string, EventRow>()
  for (const { e, n } of JSON.parse(counts as string) as { e: string; n: number }[]) {
    // The row is waited for before it is looked at.
    db.lock('events', e)
    const event = db.events.get(e)
    if (event === undefined || !isWaiting(db)(event)) continue
    const ended = n === 0 ? db.now : null
    const after = { ...event, fannedOutAt: db.now, open: n, endedAt: ended, deliveredAt: ended }
    db.events.put(e, after)
    const { tenantId, projectId } = event
    if (n === 0) countWithoutAttempt(db, 'acknowledged', { tenantId, projectId })
    marked.set(e, after)
    db.due.delete(e)
  }
  const rows = (JSON.parse(made as string) as Made[]).filter(({ e }) => marked.has(e))
  const behind = appendToLanes(
    db,
    rows.map((row) => ({ ...row, seq: marked.get(row.e)?.seq ?? 0 })),
  )
  return rows
    .map((row) => {
      const { seq, priority } = marked.get(row.e) as EventRow
      const ids = { tenantId: row.t, id: row.d, eventId: row.e, endpointId: row.g, targetId: row.g }
      db.deliveries.put(row.d, delivery({ ...ids, seq, priority, lane: row.l ?? null }))
      countWithoutAttempt(db, 'made', { tenantId: row.t, endpointId: row.g })
      return { row, seq }
    })
    .flatMap(({ row, seq }) => (behind.has(row.d) ? [] : [place(db, row, seq)]))
}

function countFailures(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  return (ids as string[]).flatMap((id) => {
    const row = db.due.get(id)
    if (row === undefined || row.kind !== EVENT_KIND) return []
    const failures = (row.failures ?? 0) + 1
    db.due.put(id, { ...row, failures, dueAt: Math.min(row.dueAt, db.now + 1_000_000) })
    return [{ id, rounds: failures }]
  })
}

function putAside(db: Transaction, [, ids, reasons]: readonly unknown[]): unknown[] {
  return (ids as string[]).flatMap((id, index) => {
    db.lock('events', id)
    const event = db.events.get(id)
    if (event === undefined || event.fannedOutAt !== null) return []
    const deadReason = (reasons as string[])[index] ?? null
    const aside = { ...event, fannedOutAt: db.now, endedAt: db.now, dead: 1, deadReason }
    db.events.put(id, aside)
    const { tenantId, projectId } = event
    countWithoutAttempt(db, 'dead', { tenantId, projectId })
    publishDead(db, aside)
    db.due.delete(id)
    return [{ id }]
  })
}

function fanOutAgain(db: Transaction, [, ids]: readonly unknown[]): unknown[] {
  return (ids as string[]).flatMap((id) => {
    db.lock('events', id)
    const event = db.events.get(id)
    if (event === undefined || event.eventType === null || event.fannedOutAt === null) return []
    if (event.open > 0 || event.dead !== 1) return []
    if (db.deliveries.all().some(({ eventId }) => eventId === id)) return []
    if (event.endedAt !== event.fannedOutAt) return []
    if (!db.partitions.lockShared(`day ${dayOfId(id)}`)) return []
    const anew = { fannedOutAt: null, endedAt: null, dead: 0, deadReason: null }
    db.events.put(id, { ...event, ...anew })
    const { tenantId, seq } = event
    const due = { tenantId, id, kind: EVENT_KIND, dueAt: db.now, leased: true }
    db.due.put(id, { ...due, targetId: null, seq })
    return [{ id }]
  })
}

function place(db: Transaction, { t, e, d, g }: Made, seq: number): unknown {
  if (db.endpoints.get(g)?.config.deliveryMode === 'poll') {
    const where = { tenantId: t, targetId: g, priority: VISIBLE_PRIORITY, seq }
    db.parked.put(d, { ...where, deliveryId: d, eventId: e, parkedAt: db.now })
    return { id: d, token: null }
  }
  const token = db.now + LEASE_MICROS
  const due = { tenantId: t, id: d, kind: DELIVERY_KIND, dueAt: token, leased: true }
  if (db.keeps('fan-out: a delivery waits in due')) {
    db.due.put(d, { ...due, targetId: g, seq: null })
  }
  return { id: d, token }
}

/** @returns the ids of those that are not heads */
function appendToLanes(db: Transaction, made: readonly (Made & { seq: number })[]): Set<string> {
  const behind = new Set<string>()
  const sorted = [...made].sort((a, b) => a.seq - b.seq || (a.d < b.d ? -1 : 1))
  for (const { t: tenantId, d: deliveryId, g: endpointId, l: lane } of sorted) {
    if (lane === undefined) continue
    const key = laneKey({ endpointId, lane })
    db.lock('lanes', key)
    const known = db.lanes.get(key)
    const tail = (known?.tail ?? 0) + 1
    const takes = known === undefined || !db.keeps('lane: at its end behind a head')
    const head = takes ? deliveryId : known.head
    db.lanes.put(key, { tenantId, endpointId, lane, head, tail })
    if (takes) continue
    behind.add(deliveryId)
    const waiting = { tenantId, endpointId, lane, position: tail, deliveryId }
    db.laneWaiting.put(`${key} ${tail}`, waiting)
  }
  return behind
}

export const ACCEPTING: Record<string, Statement> = {
  'accept-events': accept,
  'first-events': firstEvents,
  'read-waiting-events': readWaiting,
  'lock-tenant': lockTenant,
  'oldest-waiting-events': oldestWaiting,
  'oldest-of-tenants': oldestOfTenants,
  'count-fan-out-failures': countFailures,
  'put-events-aside': putAside,
  'fan-out-again': fanOutAgain,
  'fan-out': fanOut,
  'fan-out-in-lanes': fanOut,
}
