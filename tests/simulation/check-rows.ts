/**
 * What must hold of the rows after each commit, checked for the events and lanes that the commit
 * touched. These are the rules of `libs/store/src/invariants.fixture.ts`, and rules about single
 * changes, which only an observer of every step can check.
 */
import { DELIVERY_STATES, next, STATE_CODE, TRIGGERS } from '@posthorn/domain/delivery-state'
import type { Change, Database } from './model/database.ts'
import { isOpen } from './model/parts.ts'
import type { DeliveryRow, EventRow, OutboxRow, Rows } from './model/rows.ts'

const { delivering, waiting, dead, delivered } = STATE_CODE

/** Reports what does not hold. */
type Violated = (what: string) => void

function rowsOf<Name extends keyof Rows>(database: Database, name: Name): Rows[Name][] {
  return [...database.tables[name].values()] as Rows[Name][]
}

/**
 * @param removed events of which retention has removed something: their counts include what is gone
 */
export function checkRows(
  database: Database,
  changes: readonly Change[],
  removed: ReadonlySet<string>,
  violated: Violated,
): void {
  const events = new Set<string>()
  const lanes = new Set<string>()
  for (const { table, key, before, after } of changes) {
    const row = (after ?? before) as Partial<DeliveryRow> | undefined
    // The row was made and removed within the transaction.
    if (row === undefined) continue
    if (table === 'events') events.add(key)
    if (table === 'deliveries') {
      events.add(row.eventId ?? '')
      checkTransition(before as DeliveryRow | undefined, after as DeliveryRow | undefined, violated)
    }
    if (table === 'attempts' || table === 'parked') events.add(row.eventId ?? '')
    if (table === 'due') events.add(eventOf(database, key))
    if (table === 'lanes') lanes.add(key)
    if (table === 'laneWaiting')
      lanes.add(`${(row as { endpointId: string }).endpointId} ${row.lane}`)
    if (table === 'backlogs' && after !== undefined && !database.tables.due.has(key))
      violated(`backlog ${key} has no due row`)
  }
  checkOutbox(changes, violated)
  for (const id of events) if (!removed.has(id)) checkEvent(database, id, violated)
  for (const key of lanes) checkLane(database, key, violated)
}

/** Each attempt's row is counted once, and so is each end without an attempt: by its own commit. */
function checkOutbox(changes: readonly Change[], violated: Violated): void {
  const entries = changes.flatMap(({ table, after }) =>
    table === 'outbox' && after !== undefined ? [after as OutboxRow] : [],
  )
  for (const { table, key, before, after } of changes) {
    if (table === 'attempts' && before === undefined && after !== undefined) {
      const times = entries.filter(({ attemptId }) => attemptId === key).length
      if (times !== 1) violated(`attempt ${key} is counted ${times} times`)
    }
    if (table !== 'deliveries' || after === undefined) continue
    if (!isOpen(before as DeliveryRow | undefined) || isOpen(after as DeliveryRow)) continue
    const times = entries.filter(({ deliveryId }) => deliveryId === key).length
    if (times !== 1) violated(`the end of delivery ${key} is counted ${times} times`)
  }
  for (const { attemptId } of entries) {
    const isWritten = changes.some(({ table, key, after }) => {
      return table === 'attempts' && key === attemptId && after !== undefined
    })
    if (attemptId !== null && !isWritten) violated(`attempt ${attemptId} is counted without a row`)
  }
}

function eventOf(database: Database, dueId: string): string {
  const delivery = database.tables.deliveries.get(dueId) as DeliveryRow | undefined
  return delivery?.eventId ?? dueId
}

/** No statement may make a transition that is not in the table of transitions. */
function checkTransition(
  before: DeliveryRow | undefined,
  after: DeliveryRow | undefined,
  violated: Violated,
): void {
  if (after === undefined) return violated(`delivery ${before?.id} is gone`)
  if (before === undefined) return
  const [from, to] = [DELIVERY_STATES[before.state], DELIVERY_STATES[after.state]]
  if (from === undefined || to === undefined) return violated(`delivery ${after.id} has no state`)
  const may = from === to || TRIGGERS.some((trigger) => next(from, trigger) === to)
  if (!may) violated(`delivery ${after.id} went from ${from} to ${to}`)
  if (after.attempts < before.attempts || after.attempts > before.attempts + 1)
    violated(`delivery ${after.id} went from ${before.attempts} attempts to ${after.attempts}`)
  if (from === 'dead' && to === 'queued' && after.attemptsBefore !== after.attempts)
    violated(`delivery ${after.id} was replayed without a new count of its attempts`)
}

function checkEvent(database: Database, id: string, violated: Violated): void {
  const event = database.tables.events.get(id) as EventRow | undefined
  const deliveries = rowsOf(database, 'deliveries').filter((row) => row.eventId === id)
  if (event === undefined) {
    for (const row of deliveries)
      if (isOpen(row)) violated(`delivery ${row.id} is open, and its event does not exist`)
    return
  }
  const count = (is: (row: DeliveryRow) => boolean): number => deliveries.filter(is).length
  const counts = [event.open, event.delivering, event.waiting, event.dead].join(' ')
  const counted = [
    count(isOpen),
    count(({ state }) => state === delivering),
    count(({ state }) => state === waiting),
    count(({ state }) => state === dead),
  ].join(' ')
  if (counts !== counted) violated(`event ${id} counts ${counts}, and has ${counted}`)
  const hasEnded = event.fannedOutAt !== null && event.open === 0
  if ((event.endedAt !== null) !== hasEnded) violated(`event ${id} has ended or not`)
  if ((event.deliveredAt !== null) !== (hasEnded && event.dead === 0))
    violated(`event ${id} was delivered or not`)
  const endpoints = deliveries.map((row) => row.endpointId)
  if (new Set(endpoints).size < endpoints.length)
    violated(`event ${id} was fanned out twice to an endpoint`)
  const isWaiting = database.tables.due.has(id) && event.eventType !== null
  if (event.eventType !== null && (event.fannedOutAt === null) !== isWaiting)
    violated(`event ${id} waits for its fan-out, or not, against its row`)
  for (const row of deliveries) checkDelivery(database, row, violated)
}

function checkDelivery(database: Database, row: DeliveryRow, violated: Violated): void {
  const { id, attempts: counted } = row
  const isDue = database.tables.due.has(id)
  if (isOpen(row)) {
    const behind = rowsOf(database, 'laneWaiting').filter((one) => one.deliveryId === id).length
    const places = Number(isDue) + Number(database.tables.parked.has(id)) + behind
    if (places !== 1) violated(`delivery ${id} is open and waits in ${places} places`)
  } else if (isDue) violated(`delivery ${id} has ended and is due`)
  const attempts = rowsOf(database, 'attempts').filter(
    (one) => one.deliveryId === id && !one.superseded,
  )
  const numbers = new Set(attempts.map((one) => one.attemptNumber))
  if (attempts.length !== counted || numbers.size !== counted)
    violated(`delivery ${id} counts ${counted} attempts and has ${attempts.length} rows`)
  const last = attempts.find((one) => one.attemptNumber === counted)
  if (row.state === delivered && (last?.statusCode ?? 0) >= 300)
    violated(`delivery ${id} is delivered, and its last attempt failed`)
  const parked = database.tables.parked.get(id) as Rows['parked'] | undefined
  if (parked !== undefined && !database.tables.backlogs.has(parked.targetId))
    violated(`delivery ${id} is parked at a target without a backlog`)
}

function checkLane(database: Database, key: string, violated: Violated): void {
  const lane = database.tables.lanes.get(key) as Rows['lanes'] | undefined
  const waitingThere = rowsOf(database, 'laneWaiting').filter(
    (row) => `${row.endpointId} ${row.lane}` === key,
  )
  if (lane === undefined) {
    if (waitingThere.length > 0) violated(`lane ${key} has no row, and deliveries wait in it`)
    return
  }
  const head = database.tables.deliveries.get(lane.head ?? '') as DeliveryRow | undefined
  if (!isOpen(head)) violated(`lane ${key} has a head that is not open`)
  if (waitingThere.some((row) => row.deliveryId === lane.head))
    violated(`lane ${key} has a head that waits behind itself`)
}

/**
 * Retention may remove only what has ended.
 * @param removed receives the ids of the deliveries and of their events
 */
export function checkRemoval(
  database: Database,
  changes: readonly Change[],
  removed: Set<string>,
  violated: Violated,
): void {
  for (const { table, before, after } of changes) {
    if (after !== undefined || before === undefined) continue
    if (table === 'events') {
      const { id, endedAt } = before as EventRow
      removed.add(id)
      if (endedAt === null) violated(`event ${id} was removed, and had not ended`)
    } else if (table === 'deliveries') {
      const row = before as DeliveryRow
      removed.add(row.eventId).add(row.id)
      const event = database.tables.events.get(row.eventId) as EventRow | undefined
      const { id } = row
      if (isOpen(row)) violated(`delivery ${id} was removed, and had not ended`)
      else if (event !== undefined && event.endedAt === null)
        violated(`delivery ${id} was removed, and its event had not ended`)
    }
  }
}

/** What is still to be done. Empty when everything has come to its end. */
export function findUnfinished(database: Database): string[] {
  const left: string[] = []
  for (const event of rowsOf(database, 'events')) {
    if (event.fannedOutAt === null) left.push(`event ${event.id} is not fanned out`)
  }
  for (const row of rowsOf(database, 'operational'))
    left.push(`${row.type} of ${row.fact} is not relayed`)
  for (const row of rowsOf(database, 'deliveries')) {
    if (isOpen(row)) left.push(`delivery ${row.id} is ${DELIVERY_STATES[row.state]}`)
  }
  return left
}
