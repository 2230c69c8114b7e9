/**
 * What must hold of what the endpoints see. An attempt may be repeated, because delivery is at
 * least once, but only for a reason: a process died, was stopped, or could not reach a store. Lanes
 * and circuits have rules of their own.
 */
import type { CircuitView } from '@posthorn/domain/circuit'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Database } from './model/database.ts'
import { laneKey } from './model/parts.ts'
import type { DeliveryRow, DueRow, EventRow, LaneRow } from './model/rows.ts'
import type { Arrival } from './simulated-endpoints.ts'
import { EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

export interface FaultLog {
  /** Notes that something happened to this process, or (null) to all of them. */
  add(owner: Owner | null): void
  /** Whether a noted fault explains a repetition of what began at `since`. */
  explains(owners: readonly Owner[], since: number): boolean
  /** Notes a fault of the state store. */
  addState(): void
  explainsState(since: number): boolean
}

/** How long a fault can have an effect: a claim, or a lease with one failed renewal. */
const EFFECT_MS = 20_000

export function createFaultLog(time: VirtualTime): FaultLog {
  const all: { owner: Owner | null; at: number }[] = []
  let stateAt = -Infinity
  return {
    add: (owner) => void all.push({ owner, at: time.now() }),
    explains: (owners, since) =>
      all.some(
        ({ owner, at }) => at >= since - EFFECT_MS && (owner === null || owners.includes(owner)),
      ) || owners.some((owner) => !owner.isAlive),
    addState() {
      stateAt = time.now()
      all.push({ owner: null, at: stateAt })
    },
    explainsState: (since) => stateAt >= since - EFFECT_MS,
  }
}

export interface SendCheckerDeps {
  time: VirtualTime
  database: Database
  faultLog: FaultLog
  /**
   * The delivery was replayed in this run: attempt numbers may occur twice, and its place in the
   * lane is a new one.
   */
  wasReplayed(deliveryId: string): boolean
  /**
   * The delivery's event was edited: a superseded attempt has the number of the one that replaces
   * it.
   */
  wasEdited(deliveryId: string): boolean
  /** Retention removed the delivery after it had ended. */
  wasRemoved(deliveryId: string): boolean
  circuitOf(endpointId: string): Promise<CircuitView>
  hasCircuit(endpointId: string): boolean
  /** When the endpoint was paused; undefined when it is active. */
  pausedAt(endpointId: string): number | undefined
  /** How long a process may not have heard of a circuit's opening or of a pause. */
  unheardMs: number
  violated(what: string): void
}

export interface SendChecker {
  onSend(deliveryId: string, owner: Owner): void
  onArrival(arrival: Arrival): void
  arrivals: readonly Arrival[]
}

function findDelivery(database: Database, id: string): DeliveryRow | undefined {
  return database.tables.deliveries.get(id) as DeliveryRow | undefined
}

export function createSendChecker(deps: SendCheckerDeps): SendChecker {
  const { time, database, violated } = deps
  const arrivals: Arrival[] = []
  const { lanes, due } = database.tables
  const deliveryOf = (id: string): DeliveryRow | undefined => findDelivery(database, id)
  const checks = createArrivalChecks(deps, arrivals)

  /**
   * Only the head of a lane may be sent, and only under its lease: then its successor cannot have
   * begun.
   */
  function onSend(deliveryId: string, owner: Owner): void {
    const row = deliveryOf(deliveryId)
    if (row === undefined && deps.wasRemoved(deliveryId)) return
    if (row === undefined)
      return violated(`${owner.name} sends ${deliveryId}, which does not exist`)
    if (row.lane === null || row.endpointId === null || deps.wasReplayed(deliveryId)) return
    const key = laneKey({ endpointId: row.endpointId, lane: row.lane })
    const lane = lanes.get(key) as LaneRow | undefined
    const lease = due.get(deliveryId) as DueRow | undefined
    if (lane?.head !== deliveryId)
      return violated(`${owner.name} sends ${deliveryId}, which is not the head of its lane`)
    if (lease === undefined || lease.dueAt < (EPOCH_MS + time.now()) * 1_000)
      violated(`${owner.name} sends ${deliveryId}, the head of a lane, without a lease`)
  }

  function onArrival(arrival: Arrival): void {
    const row = deliveryOf(arrival.deliveryId)
    if (row !== undefined) {
      checks.repeat(arrival, row)
      if (row.lane !== null && !arrival.wasStopped) checks.order(arrival, row)
      if (row.endpointId !== null) checks.pause(arrival, row.endpointId)
      if (row.endpointId !== null && deps.hasCircuit(row.endpointId))
        checks.circuit(arrival, row.endpointId)
    }
    arrivals.push(arrival)
  }

  return { onSend, onArrival, arrivals }
}

/** What must hold of each arrival, given those before it. */
function createArrivalChecks(deps: SendCheckerDeps, arrivals: readonly Arrival[]) {
  const { database, violated } = deps
  const deliveryOf = (id: string): DeliveryRow | undefined => findDelivery(database, id)

  function checkRepeat(arrival: Arrival, row: DeliveryRow): void {
    const { deliveryId, attemptNumber, owner } = arrival
    const earlier = arrivals.find(
      (one) => one.deliveryId === deliveryId && one.attemptNumber === attemptNumber,
    )
    if (earlier === undefined || deps.wasReplayed(deliveryId) || deps.wasEdited(deliveryId)) return
    if (deps.faultLog.explains([owner, earlier.owner], earlier.at)) return
    violated(
      `${earlier.owner.name} and ${owner.name} both sent attempt ${attemptNumber} of ${row.id}, and no fault explains it`,
    )
  }

  function checkOrder(arrival: Arrival, row: DeliveryRow): void {
    if (deps.wasReplayed(row.id)) return
    const wasThere = arrivals.some((one) => one.deliveryId === row.id)
    const overtaken = arrivals.find((one) => {
      const other = deliveryOf(one.deliveryId)
      if (other === undefined || deps.wasReplayed(other.id)) return false
      return other.endpointId === row.endpointId && other.lane === row.lane && other.seq > row.seq
    })
    if (overtaken === undefined) return
    const when = wasThere ? 'again, though nobody was stopped,' : 'for the first time'
    violated(`${row.id} came ${when} after ${overtaken.deliveryId}, which follows it in its lane`)
  }

  function checkPause(arrival: Arrival, endpointId: string): void {
    const pausedAt = deps.pausedAt(endpointId)
    if (pausedAt === undefined || arrival.beganAt < pausedAt + deps.unheardMs) return
    if (deps.faultLog.explains([arrival.owner], pausedAt)) return
    violated(`${arrival.deliveryId} goes to an endpoint that is paused`)
  }

  function checkCircuit(arrival: Arrival, endpointId: string): void {
    const before = arrivals.filter((one) => deliveryOf(one.deliveryId)?.endpointId === endpointId)
    void deps.circuitOf(endpointId).then((view) => {
      if (view.state === 'closed') return
      const known = view.openedAt - EPOCH_MS + deps.unheardMs
      if (arrival.beganAt < known || deps.faultLog.explainsState(view.openedAt - EPOCH_MS)) return
      const beside = before.find(
        (one) => one.beganAt >= known && (one.answeredAt === null || one.answeredAt > arrival.at),
      )
      if (beside === undefined || deps.faultLog.explains([arrival.owner, beside.owner], beside.at))
        return
      violated(`${arrival.deliveryId} goes through an open circuit beside ${beside.deliveryId}`)
    })
  }

  return { repeat: checkRepeat, order: checkOrder, pause: checkPause, circuit: checkCircuit }
}

export interface EndExpectations {
  /** Events that were answered 201. */
  accepted: readonly string[]
  /** The number of idempotency keys that were sent. */
  sentCount: number
  /** To how many endpoints each event by type goes; null when one was deleted meanwhile. */
  endpointCount: number | null
  /** Events of which retention has removed something. */
  removed: ReadonlySet<string>
}

/**
 * Checks the end of a run: every accepted event exists with its deliveries, and every delivered one
 * was received.
 */
export function checkEnd(
  database: Database,
  arrivals: readonly Arrival[],
  { accepted, sentCount, endpointCount, removed }: EndExpectations,
  violated: (what: string) => void,
): void {
  const events = [...database.tables.events.values()] as EventRow[]
  const theirs = events.filter(({ eventType }) => eventType?.startsWith('service.') !== true)
  if (theirs.length > sentCount)
    violated(`there are ${theirs.length} events, and ${sentCount} were sent`)
  const deliveries = [...database.tables.deliveries.values()] as DeliveryRow[]
  const taken = Map.groupBy(
    arrivals.filter((one) => one.statusCode === 200),
    (one) => one.deliveryId,
  )
  for (const id of accepted) {
    if (removed.has(id)) continue
    const event = database.tables.events.get(id) as EventRow | undefined
    if (event === undefined) violated(`event ${id} was accepted, and does not exist`)
    else if (event.eventType === null && !deliveries.some((row) => row.eventId === id))
      violated(`event ${id} is direct, and has no delivery`)
    else if (event.eventType !== null && endpointCount !== null) {
      const made = deliveries.filter((row) => row.eventId === id).length
      if (made !== endpointCount)
        violated(`event ${id} has ${made} deliveries, not ${endpointCount}`)
    }
  }
  for (const { id, eventId, state } of deliveries) {
    if (state !== STATE_CODE.delivered) continue
    if (!taken.has(id)) violated(`delivery ${id} is delivered, and no endpoint has received it`)
    const event = database.tables.events.get(eventId) as EventRow | undefined
    if (event === undefined && removed.has(eventId)) continue
    if (event === undefined) violated(`delivery ${id} has no event`)
    else if (event.deliveredUnedited.includes(id)) continue
    else if (taken.get(id)?.every(({ body }) => body !== event.payload) === true)
      violated(`delivery ${id} is delivered, and no endpoint has received the edited event`)
  }
}
