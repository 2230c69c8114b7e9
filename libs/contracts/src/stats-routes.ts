/** The routes of live stats and of rate limits. */
import { mayInSubAccount } from './access.ts'
import { API, entry } from './route.ts'
import * as stats from './stats.ts'

/** Also of the stream of stats, which is no route: `STATS_STREAM`. */
export const STATS_ACCESS = mayInSubAccount('analytics:read')

export const statsRoutes = {
  getStats: entry({
    method: 'GET',
    path: `${API}/stats`,
    service: 'alerting',
    access: STATS_ACCESS,
    summary: 'What waits, fails and is delivered just now',
    status: 200,
    answer: stats.Stats,
  }),
  getRateLimits: entry({
    method: 'GET',
    path: `${API}/metrics/rate-limits`,
    service: 'alerting',
    access: STATS_ACCESS,
    summary: 'How much of the rate limits of API keys and endpoints is left',
    status: 200,
    answer: stats.RateLimitStates,
  }),
  getEndpointRateLimit: entry({
    method: 'GET',
    path: `${API}/metrics/rate-limits/endpoint/:endpointId`,
    service: 'alerting',
    access: STATS_ACCESS,
    summary: "How much of an endpoint's rate limit is left",
    status: 200,
    answer: stats.EndpointRateLimitDetail,
    errors: ['NOT_FOUND'],
  }),
}
