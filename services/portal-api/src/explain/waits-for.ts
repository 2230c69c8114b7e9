/** What an unfinished delivery waits for: one function per reason, tried in turn. Pure. */
import type { Waiting } from '@posthorn/contracts/explain'
import { type DeliveryState, isOpen } from '@posthorn/domain/delivery-state'

export interface DeliveryFacts {
  state: DeliveryState
  /** The delivery's row in `due`; null: it has none. */
  due: { at: Date; leased: boolean } | null
  /** Whether it is parked at its target. */
  parked: boolean
  /** When its target's backlog is due; null: the target has none. */
  backlogDueAt: Date | null
  /** The endpoint as it is now; null: a direct event. */
  endpoint: {
    status: 'active' | 'paused' | 'disabled' | 'deleted'
    isPolled: boolean
    isFifo: boolean
    /** Whether its circuit is open or half-open: only a probe is sent. */
    isOpen: boolean
    /** Whether it has a rate limit. */
    isLimited: boolean
  } | null
  /** When the event was to be delivered, if it was sent with a delay. */
  deliverAt: Date | null
  /** Postgres's time. */
  now: Date
}

type WaitReason = (facts: DeliveryFacts) => Waiting | null

const REASONS: readonly WaitReason[] = [
  inFlight,
  disabled,
  paused,
  poll,
  circuit,
  rateLimit,
  overflow,
  delay,
  backoff,
  lane,
  onItsWay,
]

/** Returns null for a delivery that has ended. */
export function waitsFor(facts: DeliveryFacts): Waiting | null {
  if (!isOpen(facts.state)) return null
  for (const reason of REASONS) {
    const waiting = reason(facts)
    if (waiting !== null) return waiting
  }
  return null
}

function waiting(reason: Waiting['reason'], until: Date | null): Waiting {
  return { reason, until: until?.toISOString() ?? null }
}

/**
 * An attempt is under way and its result is not known yet, or a poll has fetched the delivery and
 * it is not acknowledged yet.
 */
function inFlight({ state, due }: DeliveryFacts): Waiting | null {
  return state === 'delivering' ? waiting('in_flight', due?.at ?? null) : null
}

function disabled({ endpoint, parked }: DeliveryFacts): Waiting | null {
  return parked && endpoint?.status === 'disabled' ? waiting('disabled', null) : null
}

function paused({ endpoint, parked }: DeliveryFacts): Waiting | null {
  return parked && endpoint?.status === 'paused' ? waiting('paused', null) : null
}

function poll({ endpoint, parked }: DeliveryFacts): Waiting | null {
  return parked && endpoint?.isPolled === true ? waiting('poll', null) : null
}

function circuit({ endpoint, parked, backlogDueAt }: DeliveryFacts): Waiting | null {
  return parked && endpoint?.isOpen === true ? waiting('circuit', backlogDueAt) : null
}

function rateLimit({ endpoint, parked, backlogDueAt }: DeliveryFacts): Waiting | null {
  return parked && endpoint?.isLimited === true ? waiting('rate_limit', backlogDueAt) : null
}

/** Parked although its endpoint is active: its target has no capacity at the moment. */
function overflow({ parked, backlogDueAt }: DeliveryFacts): Waiting | null {
  return parked ? waiting('overflow', backlogDueAt) : null
}

function delay({ due, deliverAt, now }: DeliveryFacts): Waiting | null {
  const isDelayed = due !== null && !due.leased && deliverAt !== null && deliverAt > now
  return isDelayed ? waiting('delay', due.at) : null
}

function backoff({ state, due }: DeliveryFacts): Waiting | null {
  return state === 'waiting' && due !== null && !due.leased ? waiting('backoff', due.at) : null
}

function lane({ endpoint, due }: DeliveryFacts): Waiting | null {
  return endpoint?.isFifo === true && due === null ? waiting('lane', null) : null
}

/** It has been announced. If no dispatcher takes it by then, it is announced again. */
function onItsWay({ due }: DeliveryFacts): Waiting | null {
  return waiting('in_flight', due?.at ?? null)
}
