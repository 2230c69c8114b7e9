/**
 * Who may have how many attempts in flight. Pure bookkeeping: it is told what starts and ends, and answers whether another
 * attempt may go.
 *
 * - A target has its window (`domain/window.ts`).
 * - A target is *slow* while it has an attempt older than a second, *new* until its last attempt ended quickly, and *quick*
 *   otherwise. What begins at new and slow ones is *unproven*. The unproven attempts of one tenant and origin share an
 *   eighth of the slots (256 of 2,048), all of them half: so an origin that hangs never gets more, not even in its first
 *   second, when none of its attempts is old, and not with thousands of targets that nobody has seen before.
 * - Slow targets get three quarters of that. The last quarter is for new ones, a few attempts each: enough to show that
 *   they are quick, whatever else hangs at their origin.
 * - Quick targets are not stopped by what is unproven. Those of one origin share half of the slots with all else there.
 * - Whoever shares a limit gets a further slot only while it has fewer than are left (a *dynamic threshold*): a tenant
 *   alone has half of the slots at most, two have a third each, and as much is left for the next one. So do tenants with
 *   what is unproven, and targets within their origin and tenant.
 * - All of it by number and by bytes of payload: few small payloads reach the one limit, few large ones the other.
 *
 * An attempt stays what it was when it began: those of quick targets that all hang at once take nothing of what new ones
 * may have. Until they end their tenant has used up its share, and nobody else's.
 */
import {
  afterSlowAttempt,
  afterAttempt,
  initialWindow,
  SLOW_MS,
  type ConcurrencyWindow,
} from '@posthorn/domain/concurrency-window'

export interface WindowLimits {
  /** Tries in flight at once: `MAX_TRIES_IN_FLIGHT`. */
  slots: number
  /** What is unproven shares of them. */
  unprovenSlots: number
  /** What is unproven at an origin, and what is older than a second there before slow targets are stopped. */
  originSlow: number
  /** What all targets of an origin share. */
  originQuick: number
  /** Bytes of payloads in flight, whose limits may be passed by one try. */
  bytes: number
  unprovenBytes: number
  originSlowBytes: number
  originQuickBytes: number
}

const MEBIBYTE = 1024 * 1024

/** Half of the slots for what hangs, an eighth for each origin of it: see the top. */
export function windowLimits(slots: number): WindowLimits {
  const half = Math.ceil(slots / 2)
  return {
    slots,
    unprovenSlots: half,
    originSlow: Math.ceil(slots / 8),
    originQuick: half,
    // A payload is here two or three times while it is sent: as a string, in the socket, as bytes on its way there. With
    // 480 bytes 2,048 slots are 1 MiB, with 23 KiB the limits by number and by bytes are one. 256 KiB: 192 in flight, 24
    // at an origin that hangs, and four such origins leave half of it to others, as they leave half of the slots.
    bytes: 48 * MEBIBYTE,
    unprovenBytes: 24 * MEBIBYTE,
    originSlowBytes: 6 * MEBIBYTE,
    originQuickBytes: 24 * MEBIBYTE,
  }
}

/** What a payload counts that has not been read yet: the most that it may be by default. */
export const UNREAD_BYTES = 256 * 1024

/** What is in flight, and how much of it is unproven. */
interface Amount {
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

/** See the top. */
export type Standing = 'quick' | 'new' | 'slow'

export interface TargetLoad {
  origin: OriginLoad
  window: ConcurrencyWindow
  inFlight: number
  /** Attempts in flight that are older than a second. */
  slow: number
  quickLast: boolean
}

/** An attempt under way. */
export interface Slot {
  readonly target: TargetLoad
  readonly origin: OriginLoad
  readonly startedAt: number
  readonly unproven: boolean
  slow: boolean
  bytes: number
}

/** What stops it: all slots are taken, or its window, its origin's or its tenant's share is used up. */
export type StartDecision = 'go' | 'window' | 'origin' | 'tenant' | 'slots'

/** Of what is for the unproven; the rest is for targets that are new. */
const SLOW_PART = 0.75
/** Attempts in flight of a new target that may use that rest: one could be unlucky. */
const FEW = 4

export interface Windows {
  /** @param originKey `<tenant> <origin>` */
  add(originKey: string): TargetLoad
  remove(target: TargetLoad): void
  /** Its URL now has another origin; what is in flight still counts for the old one. */
  move(target: TargetLoad, originKey: string): void
  mayStart(target: TargetLoad): StartDecision
  /** @param bytes of its payload */
  takeSlot(target: TargetLoad, now: number, bytes: number): Slot
  /** Its payload has been read. */
  setBytes(flight: Slot, bytes: number): void
  /** The try is older than a second. */
  sawSlow(flight: Slot, now: number): void
  releaseSlot(flight: Slot, now: number): void
  inFlight(): number
  /** Slots that nobody has. */
  free(): number
  bytesInFlight(): number
  unprovenInFlight(): number
}

export function createWindows(limits: WindowLimits): Windows {
  const tenants = new Map<string, TenantLoad>()
  const origins = new Map<string, OriginLoad>()
  const all = newAmount()

  function enter(key: string): OriginLoad {
    let origin = origins.get(key)
    if (origin === undefined) {
      const tenant = tenantOf(key)
      tenant.origins += 1
      origin = { key, tenant, slow: 0, targets: 0, ...newAmount() }
      origins.set(key, origin)
    }
    origin.targets += 1
    return origin
  }

  function tenantOf(originKey: string): TenantLoad {
    const key = originKey.slice(0, originKey.indexOf(' '))
    let tenant = tenants.get(key)
    if (tenant === undefined) {
      tenant = { key, origins: 0, ...newAmount() }
      tenants.set(key, tenant)
    }
    return tenant
  }

  function forgetUnused(origin: OriginLoad): void {
    const { tenant } = origin
    if (origin.targets > 0 || origin.inFlight > 0 || !origins.delete(origin.key)) return
    tenant.origins -= 1
    if (tenant.origins === 0) tenants.delete(tenant.key)
  }

  function leave(origin: OriginLoad): void {
    origin.targets -= 1
    forgetUnused(origin)
  }

  function count({ origin, unproven }: Slot, by: number, bytes: number): void {
    add(all, unproven, by, bytes)
    add(origin.tenant, unproven, by, bytes)
    add(origin, unproven, by, bytes)
  }

  /** Stops by what all share, and by what is left of it for whoever has so many. */
  function mayShare({ origin, inFlight }: TargetLoad): StartDecision {
    const { tenant } = origin
    if (inFlight >= limits.originQuick - origin.inFlight) return 'origin'
    if (origin.bytes >= limits.originQuickBytes) return 'origin'
    if (inFlight >= limits.slots - all.inFlight - tenant.inFlight) return 'tenant'
    return tenant.bytes >= limits.bytes - all.bytes ? 'tenant' : 'go'
  }

  function mayStartUnproven(target: TargetLoad): StartDecision {
    const { origin, inFlight } = target
    const { tenant } = origin
    const isSlow = target.slow > 0
    if (isSlow && origin.slow >= limits.originSlow) return 'origin'
    const part = isSlow || inFlight >= FEW ? SLOW_PART : 1
    if (origin.unproven >= limits.originSlow * part) return 'origin'
    if (origin.unprovenBytes >= limits.originSlowBytes * part) return 'origin'
    if (tenant.unproven >= limits.unprovenSlots * part - all.unproven) return 'tenant'
    const bytesLeft = limits.unprovenBytes * part - all.unprovenBytes
    return tenant.unprovenBytes >= bytesLeft ? 'tenant' : 'go'
  }

  return {
    add(originKey) {
      const none = { inFlight: 0, slow: 0, quickLast: false }
      return { origin: enter(originKey), window: initialWindow(), ...none }
    },
    remove: ({ origin }) => leave(origin),
    move(target, originKey) {
      if (target.origin.key === originKey) return
      leave(target.origin)
      target.origin = enter(originKey)
    },
    mayStart(target) {
      if (all.inFlight >= limits.slots || all.bytes >= limits.bytes) return 'slots'
      if (target.inFlight >= target.window.size) return 'window'
      const may = mayShare(target)
      return may === 'go' && standingOf(target) !== 'quick' ? mayStartUnproven(target) : may
    },
    takeSlot(target, now, bytes) {
      const { origin } = target
      const unproven = standingOf(target) !== 'quick'
      const flight = { target, origin, startedAt: now, unproven, slow: false, bytes }
      target.inFlight += 1
      count(flight, 1, bytes)
      return flight
    },
    setBytes(flight, bytes) {
      count(flight, 0, bytes - flight.bytes)
      flight.bytes = bytes
    },
    sawSlow(flight, now) {
      const { target, origin } = flight
      flight.slow = true
      target.slow += 1
      origin.slow += 1
      target.quickLast = false
      target.window = afterSlowAttempt(target.window, flight.startedAt, now)
    },
    releaseSlot(flight, now) {
      const { target, origin, bytes } = flight
      target.inFlight -= 1
      count(flight, -1, -bytes)
      target.window = afterAttempt(target.window, flight.startedAt, now)
      if (flight.slow) {
        target.slow -= 1
        origin.slow -= 1
      }
      target.quickLast = now - flight.startedAt <= SLOW_MS
      forgetUnused(origin)
    },
    inFlight: () => all.inFlight,
    free: () => limits.slots - all.inFlight,
    bytesInFlight: () => all.bytes,
    unprovenInFlight: () => all.unproven,
  }
}

export function standingOf({ slow, quickLast }: TargetLoad): Standing {
  if (slow > 0) return 'slow'
  return quickLast ? 'quick' : 'new'
}

function newAmount(): Amount {
  return { inFlight: 0, bytes: 0, unproven: 0, unprovenBytes: 0 }
}

function add(amount: Amount, unproven: boolean, by: number, bytes: number): void {
  amount.inFlight += by
  amount.bytes += bytes
  if (!unproven) return
  amount.unproven += by
  amount.unprovenBytes += bytes
}
