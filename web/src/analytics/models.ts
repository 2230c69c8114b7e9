/** What each series of analytics looks like as a chart. */
import type { ChartModel, ChartSeries } from '../charts/chart-model.ts'
import { localeOf, t } from '../texts/t.ts'
import { count, milliseconds } from '../ui/time.tsx'
import type { Failures, Latency, Outcomes, Summary, Throughput } from './analytics-source.ts'

const HOUR_MS = 3_600_000
const UNITS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS }

interface Answer {
  bucket: 'hour' | 'day'
  to: string
  data: readonly { bucket: string }[]
}

function bucketsOf({ bucket, to, data }: Answer) {
  const starts = data.map((one) => Date.parse(one.bucket))
  const bucketMs = UNITS_MS[bucket]
  return { starts, bucketMs, isOngoing: (starts.at(-1) ?? 0) + bucketMs > Date.parse(to) }
}

const compact = (value: number): string =>
  new Intl.NumberFormat(localeOf(), { notation: 'compact' }).format(value)

function counted(label: string, colour: string, values: readonly number[]): ChartSeries {
  return { label, colour, values, whole: count(sumOf(values)) }
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

const COUNTS = { format: count, formatAxis: compact }

export function outcomesModel(outcomes: Outcomes): ChartModel {
  const { data } = outcomes
  const series = [
    counted(
      t('Success'),
      '--chart-delivered',
      data.map((one) => one.success),
    ),
    counted(
      t('Failure'),
      '--chart-dead',
      data.map((one) => one.failure),
    ),
    counted(
      t('Timeout'),
      '--chart-failed',
      data.map((one) => one.timeout),
    ),
  ]
  return { ...bucketsOf(outcomes), shape: 'stack', series, ...COUNTS }
}

export function summaryModel(summary: Summary): ChartModel {
  const { data } = summary
  const series = [
    counted(
      t('Sent'),
      '--delivering',
      data.map((one) => one.sent),
    ),
    counted(
      t('Delivered'),
      '--chart-delivered',
      data.map((one) => one.delivered),
    ),
    counted(
      t('Given up'),
      '--chart-dead',
      data.map((one) => one.deadLettered),
    ),
  ]
  return { ...bucketsOf(summary), shape: 'lines', series, ...COUNTS }
}

export function latencyModel(latency: Latency): ChartModel {
  const { data } = latency
  const percentile = (name: 'p50' | 'p95' | 'p99', colour: string): ChartSeries => {
    // What took less than a millisecond has its place at the foot of the logarithmic axis.
    const values = data.map((one) => (one.count === 0 ? null : Math.max(1, one[name])))
    const worst = Math.max(...values.map((value) => value ?? 0))
    return {
      label: name,
      colour,
      values,
      whole: worst === 0 ? '–' : t('at most {value}', { value: milliseconds(Math.round(worst)) }),
    }
  }
  const series = [
    percentile('p50', '--delivering'),
    percentile('p95', '--chart-failed'),
    percentile('p99', '--chart-dead'),
  ]
  const format = (value: number): string => milliseconds(Math.round(value))
  return {
    ...bucketsOf(latency),
    shape: 'lines',
    isLogarithmic: true,
    series,
    format,
    formatAxis: milliseconds,
  }
}

export function failuresModel(failures: Failures): ChartModel {
  const { data } = failures
  const categories = [
    ['http_5xx', t('5xx')],
    ['http_4xx', t('4xx')],
    ['timeout', t('timeout')],
    ['refused', t('refused')],
    ['dns', t('DNS')],
    ['tls', t('TLS')],
    ['other', t('other')],
  ] as const
  const series = categories.map(([name, label], at) =>
    counted(
      label,
      `--series-${at + 1}`,
      data.map((one) => one[name]),
    ),
  )
  // What never happened would only make the legend longer.
  const happened = series.filter(({ values }) => values.some((value) => value !== 0))
  const shown = happened.length === 0 ? series : happened
  return { ...bucketsOf(failures), shape: 'stack', series: shown, ...COUNTS }
}

export function throughputModel(throughput: Throughput): ChartModel {
  const { data } = throughput
  const rate = (value: number): string =>
    new Intl.NumberFormat(localeOf(), { maximumSignificantDigits: 3 }).format(value)
  const values = data.map((one) => one.perSecond)
  const most = t('at most {value}', { value: rate(Math.max(0, ...values)) })
  const series = [{ label: t('accepted a second'), colour: '--delivering', values, whole: most }]
  return { ...bucketsOf(throughput), shape: 'lines', series, format: rate, formatAxis: rate }
}
