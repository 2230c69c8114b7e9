/** Schemas of live stats and of rate limits. */
import { z } from 'zod'
import { API } from './route.ts'

/** Beyond this, waiting rows are not counted any further. */
export const MAX_COUNTED = 10_000

const count = z.number().int().min(0)
const capped = count.max(MAX_COUNTED)

export const Stats = z.object({
  queued: capped.describe('deliveries that wait for their first attempt, and events for fan-out'),
  delivering: capped.describe('deliveries on their way'),
  failed: capped.describe('deliveries that wait for another attempt'),
  dead: capped.describe('events of which a delivery was given up, as long as they are kept'),
  deliveredLastMinute: count,
  eventsPerSecond: z.number().min(0).describe('accepted, over the last ten seconds'),
  deliveriesPerSecond: z.number().min(0).describe('delivered, over the last ten seconds'),
  oldestQueuedSeconds: z
    .number()
    .min(0)
    .describe('for how long the oldest of what is due has waited; 0: nothing is'),
  capped: z.literal(true).optional().describe('a count stopped at 10,000'),
  at: z.string(),
})
export type Stats = z.infer<typeof Stats>

/** Not in the catalog, for it is no route: whoever asks for it upgrades to a WebSocket. */
export const STATS_STREAM = {
  method: 'GET',
  path: `${API}/stats/ws`,
  service: 'alerting',
} as const

/** Codes with which a stream of stats is closed. */
export const STATS_CLOSE = {
  /** The key or session is not in force any more. */
  unauthorized: 4401,
  /** The client does not read what it is sent. */
  slow: 4408,
} as const

export const CAPPED_WAITING =
  'more may wait: of each endpoint 10,000 are counted, and of all together a million'

const EndpointRateLimit = z.object({
  id: z.string(),
  limitPerSec: count.nullable().describe('null: no limit'),
  availableTokens: count.nullable(),
  waiting: capped,
  capped: z.literal(true).optional().describe(CAPPED_WAITING),
})

export const MAX_RATE_LIMITS = 1_000

export const RateLimitStates = z.object({
  apiKeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      limit: count.nullable().describe('per second; null: no limit of its own'),
      remaining: count.nullable(),
      resetAt: z.string().nullable(),
    }),
  ),
  endpoints: z.array(EndpointRateLimit),
})
export type RateLimitStates = z.infer<typeof RateLimitStates>

export const EndpointRateLimitDetail = EndpointRateLimit.extend({
  throttledLastMinute: capped.describe('deliveries that the limit held up in the last minute'),
})
export type EndpointRateLimitDetail = z.infer<typeof EndpointRateLimitDetail>
