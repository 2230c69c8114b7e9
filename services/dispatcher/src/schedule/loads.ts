/**
 * What is in flight of a tenant, at an origin and to a target; `windows.ts` says what follows from
 * it. There is one for each, so the objects are written out: with spreads they took 20 bytes more.
 */
import { type ConcurrencyWindow, initialWindow } from '@posthorn/domain/concurrency-window'

/** What is in flight, and how much of that is unproven. */
export interface Amount {
  inFlight: number
  bytes: number
  unproven: number
  unprovenBytes: number
}

export interface TenantLoad extends Amount {
  readonly key: string
  origins: number
}

export interface OriginLoad extends Amount {
  readonly key: string
  readonly tenant: TenantLoad
  /** Attempts in flight that are older than a second. */
  slow: number
  targets: number
}

export interface TargetLoad {
  origin: OriginLoad
  window: ConcurrencyWindow
  inFlight: number
  /** Attempts in flight that are older than a second. */
  slow: number
  /** What the last attempt was that has ended, or has become older than a second. */
  lastAttempt: 'none' | 'quick' | 'slow'
}

/** What its attempts have shown of a target: see the top of `windows.ts`. */
export type Standing = 'quick' | 'new' | 'slow'

export function newAmount(): Amount {
  return { inFlight: 0, bytes: 0, unproven: 0, unprovenBytes: 0 }
}

export function newTenantLoad(key: string): TenantLoad {
  return { key, origins: 0, inFlight: 0, bytes: 0, unproven: 0, unprovenBytes: 0 }
}

export function newOriginLoad(key: string, tenant: TenantLoad): OriginLoad {
  return {
    key,
    tenant,
    slow: 0,
    targets: 0,
    inFlight: 0,
    bytes: 0,
    unproven: 0,
    unprovenBytes: 0,
  }
}

export function newTargetLoad(origin: OriginLoad): TargetLoad {
  return { origin, window: initialWindow(), inFlight: 0, slow: 0, lastAttempt: 'none' }
}

export function addTo(amount: Amount, unproven: boolean, by: number, bytes: number): void {
  amount.inFlight += by
  amount.bytes += bytes
  if (!unproven) return
  amount.unproven += by
  amount.unprovenBytes += bytes
}

export function standingOf({ slow, lastAttempt }: TargetLoad): Standing {
  if (slow > 0 || lastAttempt === 'slow') return 'slow'
  return lastAttempt === 'quick' ? 'quick' : 'new'
}
