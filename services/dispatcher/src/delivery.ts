/**
 * A delivery that this process has leased, typed by phase. Each function below is one step of its
 * life and takes the phase that the step begins in, so that a step from a wrong phase does not
 * compile:
 *
 *     Admitted -> Queued -> Sending -> Unrecorded
 *         \_________\__________\-> Leaving (to be parked or cancelled)
 *
 * A delivery is one object throughout: a step changes it in place and hands it back under the type
 * of its next phase. Whoever keeps a reference of an earlier phase must not use it any more.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { ResolvedTarget } from './config/resolve-target.ts'
import type { Slot } from './schedule/windows.ts'

/** What a delivery has in every phase. */
interface Lease {
  message: DueDelivery
  /** The `due_at` of its row in `due`, as this process last knew it. */
  token: number
  /** The token under which it is claimed in the state store; null: it was taken from Postgres. */
  claimedToken: number | null
  /** Another process has it: both may send it, and its result is recorded once. */
  lost: boolean
  /** ms of the process's own clock, as all times below. */
  readonly takenAt: number
  /** Until then nobody else may send the head of a lane. */
  leasedUntil: number
  /**
   * It alone goes to an endpoint whose circuit is open, and decides what becomes of the circuit.
   */
  probe: boolean
  /** Kept by `in-flight-set.ts`; a newer message of another size may have come since. */
  countedBytes: number
}

/** It is ours, and its target is not known yet. */
export interface Admitted extends Lease {
  readonly phase: 'admitted'
}

/** It waits for a slot. */
export interface Queued extends Lease {
  readonly phase: 'queued'
  readonly target: ResolvedTarget
  readonly queuedAt: number
}

/** Its attempt is under way. */
export interface Sending extends Lease {
  readonly phase: 'sending'
  readonly target: ResolvedTarget
  readonly slot: Slot
  /** The edition of its event that is being sent; a message with a newer one may come meanwhile. */
  readonly edition: number
  /** A UUIDv7 of the time when its payload was there; until then it is empty. */
  attemptId: string
  /** What its transformation made of the payload; null: the event's own payload goes. */
  requestBody: string | null
}

/** Its attempt has ended, and Postgres does not know of it yet. */
export interface Unrecorded extends Lease {
  readonly phase: 'unrecorded'
  readonly target: ResolvedTarget
}

/** It is about to be parked or cancelled by a statement of its own. */
export interface Leaving extends Lease {
  readonly phase: 'leaving'
}

export type LeasedDelivery = Admitted | Queued | Sending | Unrecorded | Leaving

/** The fields of all phases: the one object behind them, which only this module sees. */
interface DeliveryFields extends Lease {
  phase: LeasedDelivery['phase']
  target: ResolvedTarget | null
  queuedAt: number
  slot: Slot | null
  edition: number
  attemptId: string
  requestBody: string | null
}

/** @param claimedToken null: it was taken from Postgres */
export function newDelivery(
  message: DueDelivery,
  token: number,
  claimedToken: number | null,
  takenAt: number,
  leasedUntil = Infinity,
): Admitted {
  const fields: DeliveryFields = {
    message,
    token,
    claimedToken,
    phase: 'admitted',
    lost: false,
    takenAt,
    leasedUntil,
    queuedAt: 0,
    target: null,
    probe: false,
    slot: null,
    edition: 0,
    attemptId: '',
    requestBody: null,
    countedBytes: 0,
  }
  return fields as Admitted
}

export function toQueued(delivery: Admitted, target: ResolvedTarget, now: number): Queued {
  const fields = delivery as DeliveryFields
  fields.phase = 'queued'
  fields.target = target
  fields.queuedAt = now
  return fields as Queued
}

/** @param target as it is now: it may have changed while the delivery waited */
export function toSending(delivery: Queued, target: ResolvedTarget, slot: Slot): Sending {
  const fields = delivery as DeliveryFields
  fields.phase = 'sending'
  fields.target = target
  fields.slot = slot
  fields.edition = delivery.message.edition ?? 0
  return fields as Sending
}

export function toUnrecorded(delivery: Sending): Unrecorded {
  const fields = delivery as DeliveryFields
  fields.phase = 'unrecorded'
  fields.slot = null
  return fields as Unrecorded
}

export function toLeaving(delivery: Admitted | Queued | Sending): Leaving {
  const fields = delivery as DeliveryFields
  fields.phase = 'leaving'
  fields.slot = null
  return fields as Leaving
}

export function payloadBytes({ message }: LeasedDelivery): number {
  return message.payload?.length ?? 0
}
