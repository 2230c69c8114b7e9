/** Queries and answers of the delivery routes. On the wire a delivery is one attempt. */
import { z } from 'zod'
import { Cursor, EventTypeName, queryInteger, Timestamp } from './fields.ts'

export const MAX_OFFSET = 10_000
export const MAX_TOTAL = 10_000

export const RANGES = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
}

export const OUTCOMES = ['success', 'failure', 'timeout'] as const

export const DeliveryListQuery = z.object({
  range: z.enum(['1h', '24h', '7d', '30d']).optional(),
  start: Timestamp.optional(),
  end: Timestamp.optional(),
  outcome: z.enum(OUTCOMES).optional(),
  endpoint_id: z
    .string()
    .optional()
    .meta({ override: { type: 'string', format: 'uuid' } }),
  event_type: EventTypeName.optional(),
  limit: queryInteger(1, 200, 50),
  offset: queryInteger(0, MAX_OFFSET, 0),
})
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>

export const Attempt = z.object({
  id: z.string(),
  eventId: z.string(),
  deliveryId: z.string(),
  endpointId: z.string().nullable(),
  endpointVersion: z.number().int().nullable(),
  eventType: z.string().nullable(),
  url: z.string(),
  attemptNumber: z.number().int(),
  statusCode: z.number().int().describe('0 when no response came'),
  responseBody: z.string(),
  responseHeaders: z.record(z.string(), z.string()).nullable(),
  requestBody: z.string().nullable().describe("null when it is the event's payload"),
  error: z.string().describe('"" on success, else "<category>: <detail>"'),
  durationMs: z.number().int(),
  processingOverheadUs: z.number().int(),
  attemptedAt: z.string(),
  nextAttemptAt: z.string().nullable(),
})
export type Attempt = z.infer<typeof Attempt>

export const AttemptDetail = Attempt.extend({
  requestHeaders: z.record(z.string(), z.string()),
})
export type AttemptDetail = z.infer<typeof AttemptDetail>

export const DeliveryPage = z.object({
  data: z.array(Attempt),
  pagination: z.object({
    limit: z.number().int(),
    offset: z.number().int(),
    total: z.number().int().describe('exact to 10,000, where it stops'),
    hasMore: z.boolean(),
  }),
})

export const MAX_EVENT_DELIVERIES = 1_000

export const EventDeliveriesQuery = z.object({
  limit: queryInteger(1, MAX_EVENT_DELIVERIES, MAX_EVENT_DELIVERIES),
  cursor: Cursor.optional(),
})
export type EventDeliveriesQuery = z.infer<typeof EventDeliveriesQuery>

export const EventDeliveries = z.object({
  deliveries: z.array(Attempt),
  count: z.number().int().describe('of all the attempts of the event, also beyond this page'),
  pagination: z
    .object({ hasMore: z.boolean(), cursor: z.string().nullable() })
    .describe('a page ends at `limit` attempts, or sooner at 4 MiB of kept bodies'),
})
export type EventDeliveries = z.infer<typeof EventDeliveries>
