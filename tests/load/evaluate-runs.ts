/** Evaluates runs: their best figures, and whether those are worse than the last ones. Pure. */
import { type Figure, FIGURE_NAMES, figure, type FigureName } from './figures.ts'

export type Figures = Partial<Record<FigureName, number>>

/** A figure that is worse by more than this share is a regression ... */
const TOLERATED = 0.15
/** ... unless the difference is within what a figure of this unit varies by from run to run. */
const NOISE: Record<Figure['unit'], number> = {
  '/s': 0,
  ms: 1,
  s: 0.5,
  MiB: 20,
  '%': 0.5,
  x: 0.1,
  'CPU-s': 0.02,
}

export interface MeasuredRun {
  figures: Figures
  /** Others took so much of the processors that the figures say little. */
  spoiled: boolean
}

/**
 * The best value of each figure over all runs. Spoiled runs count only when there are no others.
 */
export function bestOf(runs: readonly MeasuredRun[]): Figures {
  const sound = runs.filter(({ spoiled }) => !spoiled)
  const counted = sound.length > 0 ? sound : runs
  const best: Figures = {}
  for (const name of FIGURE_NAMES) {
    const values = counted
      .map(({ figures }) => figures[name])
      .filter((value) => value !== undefined)
    if (values.length === 0) continue
    best[name] = figure(name).better === 'higher' ? Math.max(...values) : Math.min(...values)
  }
  return best
}

/**
 * The run with the best first figure, in the catalog's order, so that the costs shown belong to the
 * figure shown.
 */
export function bestRun<Of extends MeasuredRun>(runs: readonly Of[]): Of | undefined {
  const sound = runs.filter(({ spoiled }) => !spoiled)
  const counted = sound.length > 0 ? sound : runs
  const first = FIGURE_NAMES.find((name) =>
    counted.some(({ figures }) => figures[name] !== undefined),
  )
  if (first === undefined) return counted.at(-1)
  const best = bestOf(counted)[first]
  return counted.find(({ figures }) => figures[first] === best)
}

export function isRegression(name: FigureName, now: number, before: number): boolean {
  const { better, unit } = figure(name)
  const worse = better === 'higher' ? before - now : now - before
  return worse > before * TOLERATED && worse > NOISE[unit]
}

export function reachesAim(name: FigureName, mode: 'standalone' | 'cluster', now: number): boolean {
  const { aims, better } = figure(name)
  const aim = aims[mode]
  if (aim === undefined) return true
  return better === 'higher' ? now >= aim : now <= aim
}

/** Adds the figures that follow from several rows. */
export function derive(figures: Figures): Figures {
  const [one, four] = [figures['slow.perSecondOf1'], figures['slow.perSecondOf4']]
  const [empty, filled] = [figures['direct.perSecond'], figures['filled.perSecond']]
  return {
    ...figures,
    ...(one && four ? { 'slow.scale': four / one } : {}),
    ...(empty && filled ? { 'filled.share': (100 * filled) / empty } : {}),
  }
}

interface LatencyBucket {
  at: number
  count: number
  p90: number
}

/** Latency is back when a bucket's p90 is at most twice what it was, or 5 ms above it. */
const TWICE = 2
const SLACK_MS = 5
/** So many buckets in a row, so that a lucky one does not count. */
const STEADY = 4

/**
 * Seconds from an endpoint's return until events posted then have the latency from before; Infinity
 * when they never do. Buckets are by the time of the post.
 */
export function secondsUntilBack(
  series: readonly LatencyBucket[],
  pausedAt: number,
  backAt: number,
): number {
  const width = (series[1]?.at ?? 0) - (series[0]?.at ?? 0)
  const before = series
    .filter(({ at, count }) => at + width <= pausedAt && count > 0)
    .map(({ p90 }) => p90)
    .sort((a, b) => a - b)
  const usual = before[Math.floor(before.length / 2)]
  if (usual === undefined) return Number.POSITIVE_INFINITY
  const limit = Math.max(usual * TWICE, usual + SLACK_MS)
  const after = series.filter(({ at, count }) => at + width > backAt && count > 0)
  const first = after.findIndex((_, start) => {
    const some = after.slice(start, start + STEADY)
    return some.length === STEADY && some.every(({ p90 }) => p90 <= limit)
  })
  const found = after[first]
  return found === undefined ? Number.POSITIVE_INFINITY : Math.max(0, found.at - backAt) / 1_000
}
