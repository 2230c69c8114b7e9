/** Analytics by hour or day: each series is another view of the same sums of the rollups. */
import type { AnalyticsQuery } from '@posthorn/contracts/analytics'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { countOf, percentile } from '@posthorn/store/rollups/latency-cells'
import { readWindows, type WindowCounts } from '@posthorn/store/rollups/read-window'
import type { Freshness } from '../fold/fold-rollups.ts'
import { type AnalyticsBucket, bucketsOf, rangeOf, unitOf } from './buckets.ts'

export interface AnalyticsDeps {
  pool: Pool
  rollups: Pick<Freshness, 'catchUp'>
  /** Postgres's time in ms. */
  clock: { now(): number }
}

export type SeriesHandlers = Pick<
  Handlers<'alerting'>,
  | 'getAnalyticsSummary'
  | 'getAnalyticsOutcomes'
  | 'getAnalyticsThroughput'
  | 'getAnalyticsLatency'
  | 'getAnalyticsFailures'
>

interface Asked {
  caller: Pick<Caller, 'tenantId' | 'projectId'>
  query: AnalyticsQuery
}

export function createSeriesHandlers(deps: AnalyticsDeps): SeriesHandlers {
  async function read<Row>(
    { caller, query }: Asked,
    show: (counts: WindowCounts, bucket: AnalyticsBucket, now: number) => Row,
  ) {
    const now = deps.clock.now()
    const range = rangeOf(query, now)
    const buckets = bucketsOf(range)
    const scope = await scopeOf(deps.pool, caller, query.endpointId)
    const windows = buckets.map(({ from, to }) => ({
      ...scope,
      from: new Date(from),
      to: new Date(to),
    }))
    await deps.rollups.catchUp([caller.tenantId])
    const counts = await readWindows(deps.pool, windows, now)
    return {
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      bucket: unitOf(range),
      data: buckets.map((bucket, at) => ({
        bucket: new Date(bucket.start).toISOString(),
        ...show(counts[at] as WindowCounts, bucket, now),
      })),
    }
  }

  return {
    getAnalyticsSummary: (request) => read(request, summaryOf),
    getAnalyticsOutcomes: (request) =>
      read(request, ({ succeeded, failed, timeouts }) => ({
        success: succeeded,
        failure: failed - timeouts,
        timeout: timeouts,
      })),
    getAnalyticsThroughput: (request) => read(request, throughputOf),
    getAnalyticsLatency: (request) =>
      read(request, ({ latency }) => {
        const cells = latency ?? []
        const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(cells, percent) ?? 0)
        return { p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0, count: countOf(cells) }
      }),
    getAnalyticsFailures: (request) => read(request, ({ failures }) => failures),
  }
}

/**
 * An endpoint of another project than the one that the request is confined to has nothing to tell,
 * like one that is not known.
 */
async function scopeOf(
  pool: Pool,
  { tenantId, projectId }: Asked['caller'],
  endpointId: string | undefined,
): Promise<{ tenantId: string; projectId: string | null; endpointId: string | null }> {
  if (endpointId === undefined) return { tenantId, projectId, endpointId: null }
  const { rows } = await pool.query<{ projectId: string }>({
    name: 'analytics-endpoint',
    text: 'SELECT project_id AS "projectId" FROM endpoints WHERE tenant_id = $1 AND id = $2',
    values: [tenantId, endpointId],
  })
  const ofProject = rows[0]?.projectId
  const isOutside = projectId !== null && ofProject !== undefined && ofProject !== projectId
  return { tenantId, projectId, endpointId: isOutside ? NO_ENDPOINT : endpointId.toLowerCase() }
}

const NO_ENDPOINT = '00000000-0000-0000-0000-000000000000'

function summaryOf({ accepted, succeeded, acknowledged, failed, dead }: WindowCounts) {
  const tried = succeeded + failed
  return {
    sent: accepted,
    delivered: succeeded,
    failed,
    deadLettered: dead,
    attempts: succeeded - acknowledged + failed,
    successRate: tried === 0 ? 0 : percentOf(succeeded, tried),
  }
}

/** To two digits. */
export function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100
}

/** The bucket of now has lasted for as long as it has. */
function throughputOf(
  { accepted, succeeded }: WindowCounts,
  { from, to }: AnalyticsBucket,
  now: number,
) {
  const seconds = Math.max(1, (Math.min(to, Math.max(now, from)) - from) / 1_000)
  return {
    accepted,
    delivered: succeeded,
    perSecond: Math.round((accepted / seconds) * 1_000) / 1_000,
  }
}
