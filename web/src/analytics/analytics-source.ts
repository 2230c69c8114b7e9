/** Where charts have their numbers from: the workspace's routes, or those of the portal. */
import { answerOf, api } from '../api/client.ts'
import type { paths } from '../generated/api.ts'
import type { AnalyticsRange } from './analytics-range.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type Summary = AnswerOf<'/api/v1/analytics/summary'>
export type Outcomes = AnswerOf<'/api/v1/analytics/outcomes'>
export type Latency = AnswerOf<'/api/v1/analytics/latency'>
export type Failures = AnswerOf<'/api/v1/analytics/failures'>
export type Throughput = AnswerOf<'/api/v1/analytics/throughput'>
export type EndpointHealth = AnswerOf<'/api/v1/analytics/endpoint-health'>['data'][number]

type Load<Body> = (
  query: AnalyticsRange & { endpointId?: string },
  signal: AbortSignal,
) => Promise<Body>

export interface AnalyticsSource {
  /** Where answers of this source are kept. */
  key: readonly unknown[]
  summary: Load<Summary>
  outcomes: Load<Outcomes>
  latency: Load<Latency>
  /** The portal has no more than the three above. */
  failures?: Load<Failures>
  throughput?: Load<Throughput>
}

export const workspaceSource: AnalyticsSource = {
  key: ['analytics'],
  summary: (query, signal) =>
    answerOf(api.GET('/api/v1/analytics/summary', { params: { query }, signal })),
  outcomes: (query, signal) =>
    answerOf(api.GET('/api/v1/analytics/outcomes', { params: { query }, signal })),
  latency: (query, signal) =>
    answerOf(api.GET('/api/v1/analytics/latency', { params: { query }, signal })),
  failures: (query, signal) =>
    answerOf(api.GET('/api/v1/analytics/failures', { params: { query }, signal })),
  throughput: (query, signal) =>
    answerOf(api.GET('/api/v1/analytics/throughput', { params: { query }, signal })),
}

export const portalSource: AnalyticsSource = {
  key: ['portal-analytics'],
  summary: (query, signal) =>
    answerOf(api.GET('/sub-account-api/analytics/summary', { params: { query }, signal })),
  outcomes: (query, signal) =>
    answerOf(api.GET('/sub-account-api/analytics/outcomes', { params: { query }, signal })),
  latency: (query, signal) =>
    answerOf(api.GET('/sub-account-api/analytics/latency', { params: { query }, signal })),
}
