/**
 * Who may have how many tries in flight. Pure bookkeeping: it is told what starts and ends, and answers whether another
 * try may go.
 *
 * - A target has its window (`domain/window.ts`).
 * - All URLs of one tenant and origin have at most 256 tries older than a second, and 256 in all unless the last that
 *   ended there was quick. So an origin that hangs never gets more, not even in its first second, when none is old.
 * - *Suspects*, targets with a try older than a second or without a quick end since, share at most half of the slots:
 *   the other half is there for targets that answer.
 *
 * It does not cover more than 2,048 tries a second to targets that were all quick just now and all hang at once.
 */
import { afterSlow, afterTry, newWindow, SLOW_MS, type Window } from '@posthorn/domain/window'

export interface WindowLimits {
  /** Tries in flight at once. */
  slots: number
  /** What suspects share of them. */
  suspectSlots: number
  originSlow: number
  /** Of an origin whose tries end quickly: as much as suspects get, should it turn out to be one. */
  originQuick: number
}

export const WINDOW_LIMITS: WindowLimits = {
  slots: 2_048,
  suspectSlots: 1_024,
  originSlow: 256,
  originQuick: 1_024,
}

export interface Origin {
  readonly key: string
  inFlight: number
  /** Tries in flight that are older than a second. */
  slow: number
  quickLast: boolean
  targets: number
}

export interface Target {
  origin: Origin
  window: Window
  inFlight: number
  slow: number
  quickLast: boolean
  suspect: boolean
}

/** A try under way. */
export interface Flight {
  readonly target: Target
  readonly origin: Origin
  readonly startedAt: number
  slow: boolean
}

export type MayStart = 'go' | 'window' | 'origin' | 'suspects' | 'slots'

export interface Windows {
  /** @param originKey tenant and origin */
  add(originKey: string): Target
  remove(target: Target): void
  /** Its URL now has another origin; what is in flight still counts for the old one. */
  move(target: Target, originKey: string): void
  mayStart(target: Target): MayStart
  start(target: Target, now: number): Flight
  /** The try is older than a second. */
  sawSlow(flight: Flight, now: number): void
  end(flight: Flight, now: number): void
  inFlight(): number
  suspectsInFlight(): number
}

export function createWindows(limits: WindowLimits = WINDOW_LIMITS): Windows {
  const origins = new Map<string, Origin>()
  let inFlight = 0
  let suspects = 0

  function enter(key: string): Origin {
    let origin = origins.get(key)
    if (origin === undefined) {
      origin = { key, inFlight: 0, slow: 0, quickLast: false, targets: 0 }
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
  }

  return {
    add(originKey) {
      const origin = enter(originKey)
      return { origin, window: newWindow(), inFlight: 0, slow: 0, quickLast: false, suspect: true }
    },
    remove: (target) => leave(target.origin),
    move(target, originKey) {
      if (target.origin.key === originKey) return
      leave(target.origin)
      target.origin = enter(originKey)
    },
    mayStart(target) {
      const { origin } = target
      if (inFlight >= limits.slots) return 'slots'
      if (target.inFlight >= target.window.size) return 'window'
      if (origin.slow >= limits.originSlow) return 'origin'
      if (origin.inFlight >= (origin.quickLast ? limits.originQuick : limits.originSlow))
        return 'origin'
      if (target.suspect && suspects >= limits.suspectSlots) return 'suspects'
      return 'go'
    },
    start(target, now) {
      inFlight += 1
      target.inFlight += 1
      target.origin.inFlight += 1
      if (target.suspect) suspects += 1
      return { target, origin: target.origin, startedAt: now, slow: false }
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
    suspectsInFlight: () => suspects,
  }
}
