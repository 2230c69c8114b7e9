/** The routes of analytics. */
import { mayInSubAccount } from './access.ts'
import * as analytics from './analytics.ts'
import { API, entry } from './route.ts'

const access = mayInSubAccount('analytics:read')

export const analyticsRoutes = {
  getAnalyticsSummary: entry({
    method: 'GET',
    path: `${API}/analytics/summary`,
    service: 'alerting',
    access,
    summary: 'What was sent, delivered, failed and given up, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsSummary,
  }),
  getAnalyticsOutcomes: entry({
    method: 'GET',
    path: `${API}/analytics/outcomes`,
    service: 'alerting',
    access,
    summary: 'Successes, failures and timeouts, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsOutcomes,
  }),
  getAnalyticsThroughput: entry({
    method: 'GET',
    path: `${API}/analytics/throughput`,
    service: 'alerting',
    access,
    summary: 'Events per second, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsThroughput,
  }),
  getAnalyticsLatency: entry({
    method: 'GET',
    path: `${API}/analytics/latency`,
    service: 'alerting',
    access,
    summary: 'Percentiles of the durations of attempts, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsLatency,
  }),
  getAnalyticsFailures: entry({
    method: 'GET',
    path: `${API}/analytics/failures`,
    service: 'alerting',
    access,
    summary: 'Failed attempts by category, by hour or day',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.AnalyticsFailures,
  }),
  getEndpointHealth: entry({
    method: 'GET',
    path: `${API}/analytics/endpoint-health`,
    service: 'alerting',
    access,
    summary: 'How endpoints are doing, worst first',
    status: 200,
    query: analytics.AnalyticsQuery,
    answer: analytics.EndpointHealth,
  }),
}
