/**
 * The answer of explain: which endpoints an event goes to and why not to the others, and what each
 * of its deliveries waits for.
 */
import { DELIVERY_STATES } from '@posthorn/domain/delivery-state'
import { z } from 'zod'
import { ENDPOINT_STATUSES, FilterCondition } from './endpoints.ts'
import { EventStatusField } from './events.ts'

/**
 * Why an event did not go to an endpoint.
 * - `project`, `type`, `filter`: the endpoint's configuration at fan-out did not match.
 * - `deleted`: the endpoint had been deleted by then.
 * - `created_later`: the endpoint did not exist yet.
 * - `test`: the event was a test of another endpoint.
 * - `destination`: the source that it came from names other endpoints.
 * - `changed`: the configuration that is on record matches, so it was changed during the fan-out.
 */
export const MISMATCHES = [
  'project',
  'type',
  'filter',
  'deleted',
  'created_later',
  'test',
  'destination',
  'changed',
] as const
export type Mismatch = (typeof MISMATCHES)[number]

/**
 * What an event or a delivery waits for.
 * - `delay`: the time that the sender set.
 * - `fan_out`: its fan-out.
 * - `in_flight`: the result of an attempt that is under way or about to start.
 * - `backoff`: the time of its next attempt.
 * - `paused`, `disabled`: the endpoint to be resumed.
 * - `circuit`, `rate_limit`, `overflow`: capacity of its target.
 * - `lane`: the delivery before it in its FIFO lane.
 * - `poll`: the consumer to fetch it.
 */
export const WAIT_REASONS = [
  'delay',
  'fan_out',
  'in_flight',
  'backoff',
  'paused',
  'disabled',
  'circuit',
  'rate_limit',
  'overflow',
  'lane',
  'poll',
] as const

export const Waiting = z.object({
  reason: z.enum(WAIT_REASONS),
  until: z.string().nullable().describe('when it is looked at again; null: nobody knows'),
})
export type Waiting = z.infer<typeof Waiting>

export const ExplainedEndpoint = z.object({
  endpointId: z.string(),
  description: z.string().nullable(),
  url: z.string(),
  status: z.enum([...ENDPOINT_STATUSES, 'deleted']),
  matched: z.boolean(),
  reason: z.enum(MISMATCHES).nullable().describe('why it did not match'),
  filter: z
    .object({
      condition: FilterCondition,
      index: z.number().int(),
      found: z.array(z.unknown()).describe('the first ten, and long ones cut short'),
      tooCostly: z
        .boolean()
        .describe(
          'the filter took more steps on this payload than it may, or asked for what is not looked at, so it does not match',
        ),
    })
    .nullable()
    .describe('the first condition that failed, and the values that its path found'),
  deliveryId: z.string().nullable(),
})
export type ExplainedEndpoint = z.infer<typeof ExplainedEndpoint>

export const ExplainedDelivery = z.object({
  id: z.string(),
  endpointId: z.string().nullable().describe('null: a direct event'),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number().int().describe('since the last replay'),
  maxAttempts: z.number().int(),
  waitsFor: Waiting.nullable(),
  lastError: z.string().nullable(),
  deadReason: z.string().nullable(),
})
export type ExplainedDelivery = z.infer<typeof ExplainedDelivery>

export const EventExplanation = z.object({
  eventId: z.string(),
  eventType: z.string().nullable(),
  destination: z.string().nullable(),
  status: EventStatusField,
  deadReason: z.string().nullable(),
  createdAt: z.string(),
  fannedOutAt: z.string().nullable(),
  waitsFor: Waiting.nullable().describe('of an event that is not fanned out yet'),
  endpoints: z
    .array(ExplainedEndpoint)
    .describe(
      'those with a delivery first; at most 1,000, fewer where filters are large or expensive',
    ),
  hasMoreEndpoints: z.boolean().describe('`endpoints` leaves out some endpoints'),
  deliveries: z.array(ExplainedDelivery).describe('at most 1,000'),
  hasMoreDeliveries: z
    .boolean()
    .describe(
      '`deliveries` leaves out some deliveries: GET /api/v1/events/{eventId}/deliveries pages ' +
        'through their attempts',
    ),
})
export type EventExplanation = z.infer<typeof EventExplanation>
