/** What happened, as numbers: rollups are kept up to date, and analytics are read from them. */
import type { Handlers } from '@posthorn/http/handlers'
import type { Service } from '@posthorn/runtime/service'
import { createEndpointHealth, type EndpointHealthDeps } from './analytics/read-endpoint-health.ts'
import { createSeriesHandlers, type SeriesHandlers } from './analytics/read-series.ts'
import { createFolding, type FoldDeps } from './fold/fold-rollups.ts'

export interface InsightsDeps extends EndpointHealthDeps, Omit<FoldDeps, 'now'> {}

export type InsightHandlers = SeriesHandlers & Pick<Handlers<'alerting'>, 'getEndpointHealth'>

export interface Insights {
  handlers: InsightHandlers
  service: Service
}

export function createInsights(deps: InsightsDeps): Insights {
  return {
    handlers: { ...createSeriesHandlers(deps), getEndpointHealth: createEndpointHealth(deps) },
    service: createFolding({ ...deps, now: deps.clock.now }),
  }
}
