/**
 * Who may have how many attempts in flight. Pure bookkeeping: it is told what starts and ends, and
 * answers whether another attempt may start.
 *
 * - A target has its window (`domain/concurrency-window.ts`).
 * - A target is *slow* while it has an attempt older than a second, and until an attempt has ended
 *   quickly since; *new* until its first attempt has ended, and *quick* otherwise. Attempts that
 *   begin at new and slow targets are *unproven*. The unproven attempts of one tenant and origin
 *   share an eighth of the slots (256 of 2,048), all of them half: so an origin that hangs never
 *   gets more, not even in its first second, when none of its attempts is old, and not with
 *   thousands of targets that nobody has seen before.
 * - Slow targets get three quarters of that. The last quarter is for new ones, a few attempts each:
 *   enough to show that they are quick, whatever else hangs at their origin. The end of it is for
 *   those with nothing in flight, so that new ones that hang leave others their first attempt. One
 *   that was slow and has nothing in flight may use a half of that quarter for one attempt, which
 *   tells whether it has recovered.
 * - Quick targets are not stopped by unproven attempts. Those of one origin share half of the slots
 *   with all else there.
 * - Whoever shares a limit gets a further slot only while it has fewer than are left (a *dynamic
 *   threshold*): a tenant alone has half of the slots at most, two have a third each, and as much
 *   is left for the next one. So do tenants with their unproven attempts, and targets within their
 *   origin and tenant.
 * - All limits are by number and by bytes of payload: few small payloads reach the one, few large
 *   ones the other.
 *
 * An attempt stays what it was when it began: those of quick targets that all hang at once take
 * nothing of what new ones may have. Until they end their tenant has used up its share, and nobody
 * else's.
 */
import { afterSlowAttempt, afterAttempt, SLOW_MS } from '@posthorn/domain/concurrency-window'
import {
  addTo,
  newAmount,
  newOriginLoad,
  newTargetLoad,
  newTenantLoad,
  type OriginLoad,
  standingOf,
  type TargetLoad,
  type TenantLoad,
} from './loads.ts'

export interface WindowLimits {
  /** Attempts in flight at once: `MAX_TRIES_IN_FLIGHT`. */
  slots: number
  /** The share of all unproven attempts. */
  unprovenSlots: number
  /**
   * The share of an origin's unproven attempts; and how many attempts older than a second it may
   * have before its slow targets are stopped.
   */
  originSlow: number
  /** The share of all targets of an origin. */
  originQuick: number
  /** Bytes of payloads in flight. One attempt may pass the limits. */
  bytes: number
  unprovenBytes: number
  originSlowBytes: number
  originQuickBytes: number
}

const MEBIBYTE = 1024 * 1024

/**
 * Half of the slots are for targets that hang, an eighth for each of their origins: see the top.
 */
export function windowLimits(slots: number): WindowLimits {
  const half = Math.ceil(slots / 2)
  return {
    slots,
    unprovenSlots: half,
    originSlow: Math.ceil(slots / 8),
    originQuick: half,
    // A payload is here two or three times while it is sent: as a string, in the socket, as bytes
    // on its way there. With 480 bytes 2,048 slots are 1 MiB, with 23 KiB the limits by number and
    // by bytes are one. With 256 KiB 192 are in flight, 24 at an origin that hangs, and four such
    // origins leave half of the bytes to others, as they leave half of the slots.
    bytes: 48 * MEBIBYTE,
    unprovenBytes: 24 * MEBIBYTE,
    originSlowBytes: 6 * MEBIBYTE,
    originQuickBytes: 24 * MEBIBYTE,
  }
}

/** The bytes of a payload that has not been read yet: the most that one may have by default. */
export const UNREAD_BYTES = 256 * 1024

/**
 * The part of all bytes that attempts may take whose payloads have yet to be read: half of what a
 * tenant that is alone may have. While these wait for Postgres, what travelled with its payload
 * goes on. 48 at once are enough: what is read is read for all deliveries of an event.
 */
const UNREAD_PART = 0.25

/** The slot of an attempt under way. */
export interface Slot {
  readonly load: TargetLoad
  readonly origin: OriginLoad
  readonly startedAt: number
  readonly unproven: boolean
  slow: boolean
  bytes: number
  /** Its payload has not been read yet. */
  unread: boolean
}

/**
 * Otherwise: all slots are taken, or the target's window, its origin's or its tenant's share is, or
 * what payloads that have to be read first may take.
 */
export type StartDecision = 'go' | 'window' | 'origin' | 'tenant' | 'unread' | 'slots'

/** Up to which part of the unproven share another attempt of a target may begin: see the top. */
const PARTS = { slow: 0.75, recovering: 0.875, fewOfNew: 0.9375, firstOfNew: 1 }
/** So many attempts of a new target may begin beyond the part of slow ones: one may be unlucky. */
const FEW = 4

function unprovenPart({ slow, lastAttempt, inFlight }: TargetLoad): number {
  if (slow > 0 || inFlight >= FEW) return PARTS.slow
  if (lastAttempt === 'slow') return inFlight === 0 ? PARTS.recovering : PARTS.slow
  return inFlight === 0 ? PARTS.firstOfNew : PARTS.fewOfNew
}

export interface Windows {
  /** @param originKey `<tenant> <origin>` */
  add(originKey: string): TargetLoad
  remove(load: TargetLoad): void
  /** The target's URL now has another origin; what is in slot still counts for the old one. */
  move(load: TargetLoad, originKey: string): void
  /** @param unread the payload has to be read first */
  mayStart(load: TargetLoad, unread?: boolean): StartDecision
  /** @param bytes the size of the payload; null: it has to be read first */
  takeSlot(load: TargetLoad, now: number, bytes: number | null): Slot
  /** The payload has been read. */
  setBytes(slot: Slot, bytes: number): void
  /** The attempt is older than a second. */
  markSlow(slot: Slot, now: number): void
  releaseSlot(slot: Slot, now: number): void
  inFlight(): number
  /** Slots that nobody has. */
  free(): number
  bytesInFlight(): number
  unprovenInFlight(): number
}

// oxlint-disable-next-line max-lines-per-function -- its counts must change together
export function createWindows(limits: WindowLimits): Windows {
  const tenants = new Map<string, TenantLoad>()
  const origins = new Map<string, OriginLoad>()
  const all = newAmount()
  let unreadBytes = 0

  function enter(key: string): OriginLoad {
    let origin = origins.get(key)
    if (origin === undefined) {
      const tenant = tenantOf(key)
      tenant.origins += 1
      origin = newOriginLoad(key, tenant)
      origins.set(key, origin)
    }
    origin.targets += 1
    return origin
  }

  function tenantOf(originKey: string): TenantLoad {
    const key = originKey.slice(0, originKey.indexOf(' '))
    let tenant = tenants.get(key)
    if (tenant === undefined) {
      tenant = newTenantLoad(key)
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

  function forgetUnread(slot: Slot): void {
    if (slot.unread) unreadBytes -= slot.bytes
    slot.unread = false
  }

  function count({ origin, unproven }: Slot, by: number, bytes: number): void {
    addTo(all, unproven, by, bytes)
    addTo(origin.tenant, unproven, by, bytes)
    addTo(origin, unproven, by, bytes)
  }

  /** Whether the shared limits leave something for whoever has so many already. */
  function mayShare({ origin, inFlight }: TargetLoad): StartDecision {
    const { tenant } = origin
    if (inFlight >= limits.originQuick - origin.inFlight) return 'origin'
    if (origin.bytes >= limits.originQuickBytes) return 'origin'
    if (inFlight >= limits.slots - all.inFlight - tenant.inFlight) return 'tenant'
    return tenant.bytes >= limits.bytes - all.bytes ? 'tenant' : 'go'
  }

  function mayStartUnproven(load: TargetLoad): StartDecision {
    const { origin } = load
    const { tenant } = origin
    if (load.slow > 0 && origin.slow >= limits.originSlow) return 'origin'
    const part = unprovenPart(load)
    if (origin.unproven >= limits.originSlow * part) return 'origin'
    if (origin.unprovenBytes >= limits.originSlowBytes * part) return 'origin'
    if (tenant.unproven >= limits.unprovenSlots * part - all.unproven) return 'tenant'
    const bytesLeft = limits.unprovenBytes * part - all.unprovenBytes
    return tenant.unprovenBytes >= bytesLeft ? 'tenant' : 'go'
  }

  return {
    add(originKey) {
      return newTargetLoad(enter(originKey))
    },
    remove: ({ origin }) => leave(origin),
    move(load, originKey) {
      if (load.origin.key === originKey) return
      leave(load.origin)
      load.origin = enter(originKey)
    },
    mayStart(load, unread = false) {
      if (all.inFlight >= limits.slots || all.bytes >= limits.bytes) return 'slots'
      if (unread && unreadBytes >= limits.bytes * UNREAD_PART) return 'unread'
      if (load.inFlight >= load.window.size) return 'window'
      const may = mayShare(load)
      return may === 'go' && standingOf(load) !== 'quick' ? mayStartUnproven(load) : may
    },
    takeSlot(load, now, payloadBytes) {
      const { origin } = load
      const unproven = standingOf(load) !== 'quick'
      const unread = payloadBytes === null
      const bytes = payloadBytes ?? UNREAD_BYTES
      const slot = { load, origin, startedAt: now, unproven, slow: false, bytes, unread }
      if (unread) unreadBytes += bytes
      load.inFlight += 1
      count(slot, 1, bytes)
      return slot
    },
    setBytes(slot, bytes) {
      forgetUnread(slot)
      count(slot, 0, bytes - slot.bytes)
      slot.bytes = bytes
    },
    markSlow(slot, now) {
      const { load, origin } = slot
      slot.slow = true
      load.slow += 1
      origin.slow += 1
      load.lastAttempt = 'slow'
      load.window = afterSlowAttempt(load.window, slot.startedAt, now)
    },
    releaseSlot(slot, now) {
      const { load, origin, bytes } = slot
      load.inFlight -= 1
      forgetUnread(slot)
      count(slot, -1, -bytes)
      load.window = afterAttempt(load.window, slot.startedAt, now)
      if (slot.slow) {
        load.slow -= 1
        origin.slow -= 1
      }
      load.lastAttempt = now - slot.startedAt <= SLOW_MS ? 'quick' : 'slow'
      forgetUnused(origin)
    },
    inFlight: () => all.inFlight,
    free: () => limits.slots - all.inFlight,
    bytesInFlight: () => all.bytes,
    unprovenInFlight: () => all.unproven,
  }
}
