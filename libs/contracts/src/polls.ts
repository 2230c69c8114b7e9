/**
 * Queries, bodies and answers of poll delivery. Names are in snake_case, as the specification has
 * them.
 */
import { z } from 'zod'
import { JsonObject, queryInteger } from './fields.ts'

export const MAX_POLLED = 100
export const MAX_POLL_SECONDS = 60
/** Enough for the events of ten full polls. */
const MAX_ACKNOWLEDGED = 1_000
const MAX_ID_CHARACTERS = 255

const EndpointId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be the id of an endpoint')
  .toLowerCase()

export const PollQuery = z.object({
  endpoint_id: EndpointId,
  limit: queryInteger(1, MAX_POLLED, 10),
  /** In seconds. */
  timeout: queryInteger(1, MAX_POLL_SECONDS, 30),
})
export type PollQuery = z.infer<typeof PollQuery>

export const PolledEvent = z.object({
  id: z.string(),
  eventType: z.string().nullable(),
  payload: JsonObject,
  headers: z
    .record(z.string(), z.string())
    .describe("the endpoint's custom headers and the event's, which win"),
  createdAt: z.string(),
})

export const Polled = z.object({ events: z.array(PolledEvent), count: z.number().int() })

export const AckPolled = z.strictObject({
  endpoint_id: EndpointId,
  event_ids: z.array(z.string().max(MAX_ID_CHARACTERS)).max(MAX_ACKNOWLEDGED),
})
export type AckPolled = z.infer<typeof AckPolled>

export const Acknowledged = z.object({
  acknowledged: z.array(z.string()),
  notFound: z
    .array(z.string())
    .describe('no event of that id waits at the endpoint: unknown, or dead by now'),
})
export type Acknowledged = z.infer<typeof Acknowledged>
