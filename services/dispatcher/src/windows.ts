/**
 * Who may have how many tries in flight. Pure bookkeeping: it is told what starts and ends, and answers whether another
 * try may go.
 *
 * - A target has its window (`domain/window.ts`).
 * - All URLs of one tenant and origin have at most an eighth of the slots (256 of 2,048) in tries older than a second,
 *   and as many in all unless the last that ended there was quick. So an origin that hangs never gets more, not even in
 *   its first second, when none is old.
 * - *Suspects*, targets with a try older than a second or without a quick end since, share at most half of the slots:
 *   the other half is there for targets that answer.
 * - All of it by number and by bytes of payload: few small payloads make an origin or suspects reach the one limit, few
 *   large ones the other.
 *
 * It does not cover more tries a second than there are slots, to targets that were all quick just now and all hang at
 * once.
 */
import { afterSlow, afterTry, newWindow, SLOW_MS, type Window } from '@posthorn/domain/window'

export interface WindowLimits {
  /** Tries in flight at once: `MAX_TRIES_IN_FLIGHT`. */
  slots: number
  /** What suspects share of them. */
  suspectSlots: number
  originSlow: number
  /** Of an origin whose tries end quickly: as much as suspects get, should it turn out to be one. */
  originQuick: number
  /** Bytes of payloads in flight, whose limits may be passed by one try. */
  bytes: number
  suspectBytes: number
  originSlowBytes: number
  originQuickBytes: number
}

const MEBIBYTE = 1024 * 1024

/** Half of the slots for what hangs, an eighth for each origin of it: see the top. */
export function windowLimits(slots: number): WindowLimits {
  const half = Math.ceil(slots / 2)
  return {
    slots,
    suspectSlots: half,
    originSlow: Math.ceil(slots / 8),
    originQuick: half,
    // A payload is here two or three times while it is sent: as a string, in the socket, as bytes on its way there. With
    // 480 bytes 2,048 slots are 1 MiB, with 23 KiB the limits by number and by bytes are one. 256 KiB: 192 in flight, 24
    // at an origin that hangs, and four such origins leave half of it to others, as they leave half of the slots.
    bytes: 48 * MEBIBYTE,
    suspectBytes: 24 * MEBIBYTE,
    originSlowBytes: 6 * MEBIBYTE,
    originQuickBytes: 24 * MEBIBYTE,
  }
}

/** What a payload counts that has not been read yet: the most that it may be by default. */
export const UNREAD_BYTES = 256 * 1024

export interface Origin {
  readonly key: string
  inFlight: number
  /** Tries in flight that are older than a second. */
  slow: number
  bytes: number
  quickLast: boolean
  targets: number
}

export interface Target {
  origin: Origin
  window: Window
  inFlight: number
  slow: number
  bytes: number
  quickLast: boolean
  suspect: boolean
}

/** A try under way. */
export interface Flight {
  readonly target: Target
  readonly origin: Origin
  readonly startedAt: number
  slow: boolean
  bytes: number
}

export type MayStart = 'go' | 'window' | 'origin' | 'suspects' | 'slots'

export interface Windows {
  /** @param originKey tenant and origin */
  add(originKey: string): Target
  remove(target: Target): void
  /** Its URL now has another origin; what is in flight still counts for the old one. */
  move(target: Target, originKey: string): void
  mayStart(target: Target): MayStart
  /** @param bytes of its payload */
  start(target: Target, now: number, bytes: number): Flight
  /** Its payload has been read. */
  carries(flight: Flight, bytes: number): void
  /** The try is older than a second. */
  sawSlow(flight: Flight, now: number): void
  end(flight: Flight, now: number): void
  inFlight(): number
  /** Slots that nobody has. */
  free(): number
  bytesInFlight(): number
  suspectsInFlight(): number
}

export function createWindows(limits: WindowLimits): Windows {
  const origins = new Map<string, Origin>()
  let inFlight = 0
  let suspects = 0
  let bytesInFlight = 0
  let suspectBytes = 0

  function enter(key: string): Origin {
    let origin = origins.get(key)
    if (origin === undefined) {
      origin = { key, inFlight: 0, slow: 0, bytes: 0, quickLast: false, targets: 0 }
      origins.set(key, origin)
    }
    origin.targets += 1
    return origin
  }

  function leave(origin: Origin): void {
    origin.targets -= 1
    if (origin.targets === 0 && origin.inFlight === 0) origins.delete(origin.key)
  }

  function judge(target: Target): void {
    const suspect = target.slow > 0 || !target.quickLast
    if (suspect === target.suspect) return
    target.suspect = suspect
    suspects += suspect ? target.inFlight : -target.inFlight
    suspectBytes += suspect ? target.bytes : -target.bytes
  }

  function weigh(target: Target, origin: Origin, bytes: number): void {
    bytesInFlight += bytes
    target.bytes += bytes
    origin.bytes += bytes
    if (target.suspect) suspectBytes += bytes
  }

  return {
    add(originKey) {
      const origin = enter(originKey)
      const none = { inFlight: 0, slow: 0, bytes: 0 }
      return { origin, window: newWindow(), ...none, quickLast: false, suspect: true }
    },
    remove: (target) => leave(target.origin),
    move(target, originKey) {
      if (target.origin.key === originKey) return
      leave(target.origin)
      target.origin = enter(originKey)
    },
    mayStart(target) {
      const { origin } = target
      if (inFlight >= limits.slots || bytesInFlight >= limits.bytes) return 'slots'
      if (target.inFlight >= target.window.size) return 'window'
      if (origin.slow >= limits.originSlow) return 'origin'
      const { quickLast } = origin
      if (origin.inFlight >= (quickLast ? limits.originQuick : limits.originSlow)) return 'origin'
      if (origin.bytes >= (quickLast ? limits.originQuickBytes : limits.originSlowBytes))
        return 'origin'
      if (!target.suspect) return 'go'
      return suspects >= limits.suspectSlots || suspectBytes >= limits.suspectBytes
        ? 'suspects'
        : 'go'
    },
    start(target, now, bytes) {
      inFlight += 1
      target.inFlight += 1
      target.origin.inFlight += 1
      if (target.suspect) suspects += 1
      weigh(target, target.origin, bytes)
      return { target, origin: target.origin, startedAt: now, slow: false, bytes }
    },
    carries(flight, bytes) {
      weigh(flight.target, flight.origin, bytes - flight.bytes)
      flight.bytes = bytes
    },
    sawSlow(flight, now) {
      const { target, origin } = flight
      flight.slow = true
      target.slow += 1
      target.quickLast = false
      origin.slow += 1
      origin.quickLast = false
      target.window = afterSlow(target.window, flight.startedAt, now)
      judge(target)
    },
    end(flight, now) {
      const { target, origin } = flight
      inFlight -= 1
      target.inFlight -= 1
      origin.inFlight -= 1
      if (target.suspect) suspects -= 1
      weigh(target, origin, -flight.bytes)
      target.window = afterTry(target.window, flight.startedAt, now)
      if (flight.slow) {
        target.slow -= 1
        origin.slow -= 1
      }
      target.quickLast = now - flight.startedAt <= SLOW_MS
      origin.quickLast = target.quickLast
      judge(target)
      if (origin.targets === 0 && origin.inFlight === 0) origins.delete(origin.key)
    },
    inFlight: () => inFlight,
    free: () => limits.slots - inFlight,
    bytesInFlight: () => bytesInFlight,
    suspectsInFlight: () => suspects,
  }
}
