/** Schemas of analytics: what happened over time, by hours or days. */
import { CIRCUIT_STATES } from '@posthorn/domain/circuit'
import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { CAPPED_WAITING } from './stats.ts'

const count = z.number().int().min(0)

/** Buckets are hours up to this range, and days beyond. */
export const HOURLY_DAYS = 7
export const MAX_ANALYTICS_DAYS = 400

export const AnalyticsQuery = z.object({
  endpointId: z.uuid().optional(),
  from: Timestamp.optional().describe('24 hours before `to` where it is not given'),
  to: Timestamp.optional().describe('now where it is not given'),
})
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>

function seriesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({
    from: z.string(),
    to: z.string(),
    bucket: z.enum(['hour', 'day']),
    data: z.array(z.object({ bucket: z.string().describe('its beginning'), ...shape })),
  })
}

export const AnalyticsSummary = seriesOf({
  sent: count.describe('events accepted; of an endpoint: deliveries that were made for it'),
  delivered: count.describe('deliveries, acknowledged ones among them'),
  failed: count.describe('attempts that failed'),
  deadLettered: count.describe('deliveries that were given up'),
  attempts: count,
  successRate: z
    .number()
    .min(0)
    .max(100)
    .describe('`delivered` among `delivered` and `failed`, in per cent; 0: there were none'),
})
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>

export const AnalyticsOutcomes = seriesOf({
  success: count,
  failure: count.describe('without timeouts'),
  timeout: count,
})
export type AnalyticsOutcomes = z.infer<typeof AnalyticsOutcomes>

export const AnalyticsThroughput = seriesOf({
  accepted: count,
  delivered: count,
  perSecond: z.number().min(0).describe('accepted, over the part of the bucket that is asked for'),
})
export type AnalyticsThroughput = z.infer<typeof AnalyticsThroughput>

const milliseconds = z.number().min(0).describe('at most 4.5 % off; 0: there were no attempts')

export const AnalyticsLatency = seriesOf({
  p50: milliseconds,
  p95: milliseconds,
  p99: milliseconds,
  count: count.describe('attempts'),
})
export type AnalyticsLatency = z.infer<typeof AnalyticsLatency>

export const AnalyticsFailures = seriesOf({
  timeout: count,
  http_4xx: count,
  http_5xx: count,
  dns: count,
  tls: count,
  refused: count,
  other: count,
})
export type AnalyticsFailures = z.infer<typeof AnalyticsFailures>

export const MAX_HEALTH_ENDPOINTS = 1_000

export const EndpointHealth = z.object({
  from: z.string(),
  to: z.string(),
  data: z
    .array(
      z.object({
        endpointId: z.string(),
        url: z.string().nullable().describe('null: the endpoint is polled, or stores'),
        status: z.enum(['active', 'paused', 'disabled']),
        deliveryRate: z
          .number()
          .min(0)
          .max(100)
          .nullable()
          .describe('successes among successes and failures, in per cent; null: there were none'),
        p95Ms: z.number().min(0).nullable(),
        circuitState: z.enum(CIRCUIT_STATES),
        openUntil: z.string().nullable(),
        lastSuccessAt: z.string().nullable().describe('to the second'),
        lastFailureAt: z.string().nullable().describe('to the second'),
        waiting: count.max(10_000).describe('at most 10,000 are counted'),
        capped: z.literal(true).optional().describe(CAPPED_WAITING),
      }),
    )
    .describe(`worst first; of the newest ${MAX_HEALTH_ENDPOINTS} endpoints`),
})
export type EndpointHealth = z.infer<typeof EndpointHealth>
