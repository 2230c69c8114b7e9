/**
 * The states of a delivery (one event to one endpoint), and how an event's status follows from its
 * deliveries.
 *
 * `TRANSITIONS` is the truth: every guarded UPDATE in the store takes the states it starts from out
 * of `statesBefore`, so a transition that has no row here can't be written.
 */

/**
 * Parked is not a state: a delivery that is queued or waiting may be parked at its target
 * meanwhile.
 */
export const DELIVERY_STATES = ['queued', 'delivering', 'waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The smallint that is stored. A number never gets a second meaning. */
export const STATE_CODE: Record<DeliveryState, number> = {
  queued: 0,
  delivering: 1,
  waiting: 2,
  delivered: 3,
  dead: 4,
}

/**
 * What changes the state of a delivery.
 * - `begin`: an attempt is still under way when its lease is first renewed, or a poll has fetched
 *   it.
 * - `succeed`, `fail`, `exhaust`: an attempt's result was recorded; after a failure with attempts
 *   left or none.
 * - `cancel`: given up without an attempt, because its endpoint is gone, it was parked too long, or
 *   its event is erased.
 * - `replay`: queued again on request.
 * - `expire`: fetched by a poll and not acknowledged within its visibility timeout, so that it
 *   waits for the next poll.
 */
export const TRIGGERS = [
  'begin',
  'succeed',
  'fail',
  'exhaust',
  'cancel',
  'replay',
  'expire',
] as const
export type Trigger = (typeof TRIGGERS)[number]

type Row = Partial<Record<Trigger, DeliveryState>>

export const TRANSITIONS: Record<DeliveryState, Row> = {
  queued: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
  },
  delivering: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
    expire: 'queued',
  },
  waiting: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
    replay: 'queued',
  },
  delivered: {},
  dead: { replay: 'queued' },
}

/** The state after `trigger`, or null where it is not allowed. */
export function next(state: DeliveryState, trigger: Trigger): DeliveryState | null {
  return TRANSITIONS[state][trigger] ?? null
}

/** The states from which `trigger` is allowed, as they are stored. */
export function statesBefore(trigger: Trigger): number[] {
  return DELIVERY_STATES.filter((state) => next(state, trigger) !== null).map(
    (state) => STATE_CODE[state],
  )
}

export function isOpen(state: DeliveryState): boolean {
  return state !== 'delivered' && state !== 'dead'
}

export const EVENT_STATUSES = ['queued', 'delivering', 'delivered', 'failed', 'dead'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** The counts of deliveries in an event's row. `open` includes `delivering` and `waiting`. */
export interface DeliveryCounts {
  open: number
  delivering: number
  waiting: number
  dead: number
}

/**
 * The first status that applies. An event by type that is not fanned out yet will get its
 * deliveries: it is queued.
 */
export function eventStatus(counts: DeliveryCounts, fannedOut: boolean): EventStatus {
  if (counts.delivering > 0) return 'delivering'
  if (counts.waiting > 0) return 'failed'
  if (counts.open > 0 || !fannedOut) return 'queued'
  return counts.dead > 0 ? 'dead' : 'delivered'
}
