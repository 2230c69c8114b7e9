/** Compares what two checkouts measured in turns. Pure. */
import type { Figures } from './evaluate-runs.ts'
import { FIGURE_NAMES, figure } from './figures.ts'

export interface Ratio {
  /** The medians of both sides. */
  now: number
  before: number
  /** The median of the pairs' ratios, now over before ... */
  ratio: number
  /** ... and the bounds that its true value is within, in 19 cases of 20. */
  low: number
  high: number
}

/**
 * Compares values that were measured in pairs, one on each side within seconds, so that what the
 * machine did at that time is in both and leaves the ratio. The bounds are two of the ratios in
 * order (the interval of the sign test), which demands nothing of how they are spread; of fewer
 * than six pairs they are the least and the greatest, and say less than 19 in 20.
 *
 * @param pairs values above 0, `[now, before]`
 */
export function compareInPairs(pairs: readonly (readonly [number, number])[]): Ratio {
  const ratios = inOrder(pairs.map(([now, before]) => now / before))
  const skipped = skippedAtEachEnd(pairs.length)
  return {
    now: median(pairs.map(([now]) => now)),
    before: median(pairs.map(([, before]) => before)),
    ratio: median(ratios),
    low: ratios.at(skipped) ?? Number.NaN,
    high: ratios.at(-1 - skipped) ?? Number.NaN,
  }
}

export interface MeasuredValues {
  figures: Figures
  costs: Readonly<Record<string, number>>
}

/** What both sides measured in each run, by the titles of figures and the names of costs. */
export function compareRuns(
  nows: readonly MeasuredValues[],
  befores: readonly MeasuredValues[],
): Map<string, Ratio> {
  const pairs = new Map<string, [number, number][]>()
  for (const [run, one] of nows.entries()) {
    const other = named(befores[run])
    for (const [name, now] of named(one)) {
      const before = other.get(name) ?? 0
      // A ratio of nothing says nothing.
      if (now > 0 && before > 0) pairs.set(name, [...(pairs.get(name) ?? []), [now, before]])
    }
  }
  return new Map([...pairs].map(([name, of]) => [name, compareInPairs(of)]))
}

function named(values: MeasuredValues | undefined): Map<string, number> {
  const figures = FIGURE_NAMES.map((name) => [figure(name).title, values?.figures[name]] as const)
  return new Map(
    [...figures, ...Object.entries(values?.costs ?? {})].filter(
      (entry): entry is [string, number] => entry[1] !== undefined,
    ),
  )
}

function inOrder(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}

function median(values: readonly number[]): number {
  const sorted = inOrder(values)
  const middle = (sorted.length - 1) / 2
  const [low = Number.NaN, high = Number.NaN] = [Math.floor(middle), Math.ceil(middle)].map(
    (at) => sorted[at],
  )
  return (low + high) / 2
}

const BEYOND_EACH_BOUND = 0.025

/** How many of n coins fall to one side with a chance of at most 2.5 %. */
function skippedAtEachEnd(count: number): number {
  let [chance, sum] = [0.5 ** count, 0.5 ** count]
  let skipped = 0
  while (sum <= BEYOND_EACH_BOUND) {
    chance *= (count - skipped) / (skipped + 1)
    sum += chance
    skipped += 1
  }
  return Math.max(0, skipped - 1)
}
