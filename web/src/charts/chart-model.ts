/** What a chart shows, apart from how it is drawn: series of values over buckets of time. Pure. */

export interface ChartSeries {
  label: string
  /** One for each bucket; null: there was nothing to measure. */
  values: readonly (number | null)[]
  /** The name of a custom property. */
  colour: string
  /** What stands in the legend while no bucket is pointed at. */
  whole: string
}

export interface ChartModel {
  /** The beginnings of the buckets, epoch ms. */
  starts: readonly number[]
  bucketMs: number
  shape: 'stack' | 'lines'
  /** Values of many sizes, none of them 0. */
  isLogarithmic?: boolean
  /** The last bucket is not over: its numbers will change, and it is drawn so. */
  isOngoing: boolean
  series: readonly ChartSeries[]
  /** Writes a value for the legend and the table. */
  format: (value: number) => string
  /** Writes a value for the axis. */
  formatAxis: (value: number) => string
}

export interface ChartSpan {
  /** Epoch ms. */
  from: number
  to: number
}

/** Each series on top of those before it. */
export function stacked(series: readonly Pick<ChartSeries, 'values'>[]): number[][] {
  let below: number[] = series[0]?.values.map(() => 0) ?? []
  return series.map(({ values }) => {
    below = below.map((sum, at) => sum + (values[at] ?? 0))
    return below
  })
}

/**
 * A line in two parts: what is over, and the way from there to the last bucket, which goes on. Each
 * has its empty places where the other is.
 */
export function lineParts(
  values: readonly (number | null)[],
  isOngoing: boolean,
): { over: (number | null)[]; ongoing: (number | null)[] } {
  if (!isOngoing) return { over: [...values], ongoing: values.map(() => null) }
  const last = values.length - 1
  return {
    over: values.map((value, at) => (at === last ? null : value)),
    ongoing: values.map((value, at) => (at < last - 1 ? null : value)),
  }
}

/** @returns the whole buckets that a selection touches; null: it is outside of them */
export function spanOf(
  { starts, bucketMs }: Pick<ChartModel, 'starts' | 'bucketMs'>,
  { from, to }: ChartSpan,
): ChartSpan | null {
  const touched = starts.filter((start) => start < to && start + bucketMs > from)
  const [first, last] = [touched[0], touched.at(-1)]
  return first === undefined || last === undefined ? null : { from: first, to: last + bucketMs }
}

/** The whole decades that hold all values of a logarithmic axis. */
export function decadesAround(smallest: number, largest: number): [number, number] {
  if (!(smallest > 0 && largest > 0)) return [1, 10]
  const first = Math.floor(Math.log10(smallest))
  return [10 ** first, 10 ** Math.max(first + 1, Math.ceil(Math.log10(largest)))]
}

/** The end of an axis: the next round number at or above the largest value. */
export function axisEnd(largest: number): number {
  if (!(largest > 0)) return 1
  const unit = 10 ** Math.floor(Math.log10(largest))
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
  return unit * (steps.find((step) => step * unit >= largest) ?? 10)
}
