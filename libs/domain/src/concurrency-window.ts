/**
 * How many attempts may be in flight to one target at once. The window doubles while attempts end
 * quickly and halves when they do not, so that an endpoint that hangs soon takes few slots and a
 * fast one is not slowed down.
 */
export const WINDOW_START = 16
export const WINDOW_MIN = 1
export const WINDOW_MAX = 512
/** An attempt that takes longer than this is slow. */
export const SLOW_MS = 1_000

export interface ConcurrencyWindow {
  size: number
  /** Attempts that ended quickly since the size last changed. */
  quick: number
  /** When it last halved. Attempts that began before say nothing new. */
  shrunkAt: number
}

export function initialWindow(): ConcurrencyWindow {
  return { size: WINDOW_START, quick: 0, shrunkAt: 0 }
}

/** The window after an attempt that began at `startedAt` ended at `now` (both ms of one clock). */
export function afterAttempt(
  window: ConcurrencyWindow,
  startedAt: number,
  now: number,
): ConcurrencyWindow {
  if (now - startedAt > SLOW_MS) return afterSlowAttempt(window, startedAt, now)
  const quick = window.quick + 1
  const { size, shrunkAt } = window
  if (quick < size) return { size, quick, shrunkAt }
  return { size: Math.min(WINDOW_MAX, size * 2), quick: 0, shrunkAt }
}

/** The window when an attempt that began at `startedAt` is found to be slow, ended or not. */
export function afterSlowAttempt(
  window: ConcurrencyWindow,
  startedAt: number,
  now: number,
): ConcurrencyWindow {
  if (startedAt < window.shrunkAt) return window
  return { size: Math.max(WINDOW_MIN, window.size >> 1), quick: 0, shrunkAt: now }
}
