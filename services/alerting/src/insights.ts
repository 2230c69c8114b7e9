/**
 * What happened, as numbers: analytics and live stats are read from the rollups, which
 * `fold/fold-rollups.ts` keeps up to date.
 */
import { STATS_STREAM } from '@posthorn/contracts/stats'
import type { Handlers } from '@posthorn/http/handlers'
import type { Upgrade } from '@posthorn/http/router'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { StateStore } from '@posthorn/state/state-store'
import { createEndpointHealth, type EndpointHealthDeps } from './analytics/read-endpoint-health.ts'
import { createSeriesHandlers, type SeriesHandlers } from './analytics/read-series.ts'
import { type EnterDeps, enterStream, mayStay } from './stats/enter-stream.ts'
import { readStats } from './stats/read-stats.ts'
import { createRateLimitHandlers, type RateLimitHandlers } from './stats/read-rate-limits.ts'
import { createStatsCache } from './stats/stats-cache.ts'
import { createStatsStream, STREAM_DEFAULTS, type StatsStream } from './stats/stats-stream.ts'
import { createWaitingCounts } from './stats/waiting-counts.ts'

export interface InsightsDeps extends Omit<EndpointHealthDeps, 'waiting'>, EnterDeps {
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'count' | 'set'>
  state: Pick<StateStore, 'readCircuits' | 'readTokens' | 'readRecent' | 'claim' | 'renew'>
}

export type InsightHandlers = SeriesHandlers &
  RateLimitHandlers &
  Pick<
    Handlers<'alerting'>,
    | 'getEndpointHealth'
    | 'getStats'
    | 'getSubAccountSummary'
    | 'getSubAccountOutcomes'
    | 'getSubAccountLatency'
  >

export interface Insights {
  handlers: InsightHandlers
  upgrades: ReadonlyMap<string, Upgrade>
  stream: StatsStream
  /** Something about the tenant has changed, its keys perhaps. */
  tenantChanged(tenantId: string): void
}

export function createInsights(deps: InsightsDeps, streamConfig = STREAM_DEFAULTS): Insights {
  const { pool, rollups, clock, metrics, log, state } = deps
  const nowMs = (): number => performance.now()
  const stats = createStatsCache({
    async read(tenantIds) {
      await rollups.catchUp(tenantIds)
      return await readStats(pool, tenantIds, clock.now())
    },
    nowMs,
  })
  const stream = createStatsStream(streamConfig, {
    enter: (request) => enterStream(request, deps),
    mayStay: (credentials, tenantId) => mayStay(credentials, tenantId, deps),
    read: stats.refresh,
    nowMs,
    state,
    metrics,
    log,
  })
  const series = createSeriesHandlers(deps)
  const waiting = createWaitingCounts({}, { pool, nowMs })
  return {
    handlers: {
      ...series,
      // Their tenant is the caller's, so the portal of a sub-account asks the same.
      getSubAccountSummary: series.getAnalyticsSummary,
      getSubAccountOutcomes: series.getAnalyticsOutcomes,
      getSubAccountLatency: series.getAnalyticsLatency,
      ...createRateLimitHandlers({ ...deps, waiting }),
      getEndpointHealth: createEndpointHealth({ ...deps, waiting }),
      getStats: ({ caller }) => stats.get(caller.tenantId),
    },
    upgrades: new Map([[STATS_STREAM.path, stream.upgrade]]),
    stream,
    tenantChanged: stream.recheckTenant,
  }
}
