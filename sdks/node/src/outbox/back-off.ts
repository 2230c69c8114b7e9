/**
 * How long to leave the API alone when it accepts nothing from anybody, and a single event that it
 * does not answer as it should.
 */
export interface GeneralPause {
  /** @returns whether this failure, not one before it, began the pause */
  failed(retryAfterMs: number): boolean
  /** The API answered. */
  answered(): void
  /** 0: there is none. */
  leftMs(): number
  /** Since the last failure nothing has been answered: one event at a time is enough to find out. */
  isProbing(): boolean
}

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000

export function createGeneralPause(now: () => number, random: () => number): GeneralPause {
  let pauses = 0
  let endsAt = 0
  return {
    failed(retryAfterMs) {
      const isFirst = now() >= endsAt
      if (isFirst) pauses += 1
      const most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (pauses - 1))
      const ownMs = isFirst ? most * (0.5 + random() / 2) : 0
      endsAt = Math.max(endsAt, now() + Math.max(retryAfterMs, ownMs))
      return isFirst
    },
    answered() {
      pauses = 0
      endsAt = 0
    },
    leftMs: () => Math.max(0, endsAt - now()),
    isProbing: () => pauses > 0,
  }
}

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 300_000

/** @param attempts how often the event was sent in vain before */
export function eventDelayMs(attempts: number, random: () => number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts) * (0.5 + random() / 2)
}
