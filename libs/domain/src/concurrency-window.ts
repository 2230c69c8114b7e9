/**
 * How many tries may be in flight to one target at once. It doubles while tries end quickly and halves when they do
 * not, so that a receiver that hangs soon holds few slots, and a fast one is never held back.
 */
export const WINDOW_START = 16
export const WINDOW_MIN = 1
export const WINDOW_MAX = 512
/** A try that takes longer than this is slow. */
export const SLOW_MS = 1_000

export interface ConcurrencyWindow {
  size: number
  /** Tries that ended quickly since the size last changed. */
  quick: number
  /** When it last halved: tries that began before say nothing new. */
  shrunkAt: number
}

export function initialWindow(): ConcurrencyWindow {
  return { size: WINDOW_START, quick: 0, shrunkAt: 0 }
}

/** The window after a try that began at `startedAt` ended at `now` (both ms of one clock). */
export function afterAttempt(
  window: ConcurrencyWindow,
  startedAt: number,
  now: number,
): ConcurrencyWindow {
  if (now - startedAt > SLOW_MS) return afterSlowAttempt(window, startedAt, now)
  const quick = window.quick + 1
  if (quick < window.size) return { ...window, quick }
  return { size: Math.min(WINDOW_MAX, window.size * 2), quick: 0, shrunkAt: window.shrunkAt }
}

/** The window when a try that began at `startedAt` is seen to be slow, ended or not. */
export function afterSlowAttempt(
  window: ConcurrencyWindow,
  startedAt: number,
  now: number,
): ConcurrencyWindow {
  if (startedAt < window.shrunkAt) return window
  return { size: Math.max(WINDOW_MIN, window.size >> 1), quick: 0, shrunkAt: now }
}
