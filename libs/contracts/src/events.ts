/** Bodies, queries and answers of the event routes. */
import { EVENT_STATUSES } from '@posthorn/domain/delivery-state'
import { z } from 'zod'
import {
  DestinationUrl,
  EventTypeName,
  exactlyOneOf,
  headersField,
  IdempotencyKey,
  JsonObject,
  MAX_URL_CHARACTERS,
  PageQuery,
  pageOf,
  SentEventType,
  Timestamp,
} from './fields.ts'

export const MAX_ATTEMPTS = 25
export const DEFAULT_ATTEMPTS = 5
export const DEFAULT_PRIORITY = 5
export const MAX_BATCH = 100
export const MAX_RETRY_BATCH = 1_000
const MAX_DELAY_SECONDS = 31_536_000

/** A value above 25 is clamped without an error, as the specification says. */
const MaxAttempts = z
  .number()
  .int()
  .min(1)
  .transform((value) => Math.min(value, MAX_ATTEMPTS))

/** For OpenAPI: an edit that changes nothing and replays nothing is refused. */
const SOMETHING_TO_DO = [
  ...['destination', 'payload', 'headers'].map((field) => ({ required: [field] })),
  { required: ['replay'], properties: { replay: { const: true } } },
]

/** `brand` decides which header names are reserved for the service. */
export function eventSchemas(brand: string) {
  const headers = headersField(brand)
  const CreateEvent = z
    .strictObject({
      destination: DestinationUrl.optional(),
      eventType: SentEventType.optional(),
      payload: JsonObject,
      headers: headers.optional(),
      maxAttempts: MaxAttempts.optional(),
      priority: z.number().int().min(1).max(10).default(DEFAULT_PRIORITY),
      delaySeconds: z.number().int().min(0).max(MAX_DELAY_SECONDS).default(0),
    })
    // `superRefine` would make a function for each event.
    .check(({ value, issues }) => {
      if ((value.destination === undefined) !== (value.eventType === undefined)) return
      const message = 'give exactly one of destination and eventType'
      issues.push({ code: 'custom', message, path: ['destination'], input: value })
    })
    .meta({ also: exactlyOneOf(['destination'], ['eventType']) })

  const BatchItem = z.strictObject({
    idempotencyKey: IdempotencyKey,
    destination: DestinationUrl,
    payload: JsonObject,
    headers: headers.optional(),
    maxAttempts: MaxAttempts.optional(),
    priority: z
      .literal(DEFAULT_PRIORITY, 'only the default priority, 5, goes in a batch')
      .optional(),
  })

  const EditEvent = z
    .strictObject({
      destination: DestinationUrl.optional(),
      payload: JsonObject.optional(),
      headers: headers.optional(),
      replay: z.boolean().default(false),
    })
    .meta({ also: { anyOf: SOMETHING_TO_DO } })

  return {
    CreateEvent,
    BatchItem,
    CreateBatch: z.strictObject({ events: z.array(BatchItem).min(1).max(MAX_BATCH) }),
    EditEvent,
  }
}

export type EventSchemas = ReturnType<typeof eventSchemas>
export type CreateEvent = z.infer<EventSchemas['CreateEvent']>
export type BatchItem = z.infer<EventSchemas['BatchItem']>
export type EditEvent = z.infer<EventSchemas['EditEvent']>

export const DEFAULT_RETRY_BATCH = 100

/** Exactly one of `eventIds`, `status` and `endpointId`; `limit` goes with the last two. */
export const RetryBatch = z
  .strictObject({
    eventIds: z.array(z.string()).min(1).max(MAX_RETRY_BATCH).optional(),
    status: z.enum(['failed', 'dead']).optional(),
    endpointId: z.string().optional(),
    limit: z.number().int().min(1).max(MAX_RETRY_BATCH).optional(),
  })
  .superRefine((body, context) => {
    const forms = [body.eventIds, body.status, body.endpointId].filter((form) => form !== undefined)
    if (forms.length !== 1) {
      const message = 'give exactly one of eventIds, status and endpointId'
      context.addIssue({ code: 'custom', message, path: ['eventIds'] })
    }
    if (body.eventIds !== undefined && body.limit !== undefined) {
      const message = 'goes with status or endpointId only'
      context.addIssue({ code: 'custom', message, path: ['limit'] })
    }
  })
  .meta({ also: exactlyOneOf(['eventIds'], ['status', 'limit'], ['endpointId', 'limit']) })
export type RetryBatch = z.infer<typeof RetryBatch>

export const EventStatusField = z.enum(EVENT_STATUSES)

export const EventCreated = z.object({
  id: z.string(),
  idempotencyKey: z.string(),
  destination: z.string().nullable(),
  eventType: z.string().nullable(),
  status: EventStatusField,
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  priority: z.number().int(),
  createdAt: z.string(),
})
export type EventCreated = z.infer<typeof EventCreated>

export const EventSummary = EventCreated.extend({
  projectId: z.string(),
  deliverAt: z.string().nullable().describe('When a delayed event is due; null without a delay.'),
  deliveredAt: z.string().nullable(),
  deadReason: z.string().nullable(),
  traceId: z.string(),
})
export type EventSummary = z.infer<typeof EventSummary>

/** Room for 40 endpoints with 25 attempts each. */
export const MAX_ATTEMPTS_IN_DETAIL = 1_000

export const EventDetail = EventSummary.extend({
  payload: JsonObject,
  headers: z.record(z.string(), z.string()).nullable(),
  deliveryAttempts: z
    .array(
      z.object({
        id: z.string(),
        attemptNumber: z.number().int(),
        statusCode: z.number().int(),
        durationMs: z.number().int(),
        attemptedAt: z.string(),
      }),
    )
    .describe('in the order in which they were made; the newest 1,000 of an event with more'),
  hasMoreAttempts: z
    .boolean()
    .describe(
      '`deliveryAttempts` leaves out older attempts: GET /api/v1/events/{eventId}/deliveries pages ' +
        'through all',
    ),
})
export type EventDetail = z.infer<typeof EventDetail>

export const EventListItem = EventSummary.extend({
  lastStatusCode: z
    .number()
    .int()
    .nullable()
    .describe('of the last attempt, 0 when no response came; null before the first'),
  lastError: z
    .string()
    .nullable()
    .describe('of the last attempt, "" on success; null before the first'),
  nextAttemptAt: z
    .string()
    .nullable()
    .describe('the earliest time of a next attempt; null when no delivery waits for one'),
})
export type EventListItem = z.infer<typeof EventListItem>

export const EventPage = pageOf(EventListItem)

/**
 * An event must pass all filters that are given. A page is full, or the last one, or it ended early
 * after 2 s of work and has `hasMore` true.
 */
export const EventListQuery = PageQuery.extend({
  status: EventStatusField.optional(),
  eventType: EventTypeName.optional(),
  endpointId: z
    .string()
    .optional()
    .meta({ override: { type: 'string', format: 'uuid' } })
    .describe('events with a delivery to this endpoint'),
  destination: z
    .string()
    .max(MAX_URL_CHARACTERS)
    .optional()
    .describe('direct events to exactly this URL'),
  from: Timestamp.optional().describe('accepted at this time or later'),
  to: Timestamp.optional().describe('accepted before this time'),
})
export type EventListQuery = z.infer<typeof EventListQuery>

export const BatchCreated = z.object({
  events: z.array(z.object({ id: z.string(), status: EventStatusField, createdAt: z.string() })),
  count: z.number().int(),
})

export const BatchRetried = z.object({
  retried: z.number().int(),
  skipped: z.number().int(),
  eventIds: z.array(z.string()),
})
