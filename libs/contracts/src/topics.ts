/**
 * The catalog of topics: what crosses the bus, who writes it and who reads it. A message is only how the next service
 * hears of a row soon; the row in Postgres is the truth, so every message may be lost, repeated or late.
 *
 * Values are versioned (`v`): a consumer accepts its own version and the one before.
 */
import { z } from 'zod'

/** Payloads over this many bytes, or for more than `MAX_INLINE_FANOUT` deliveries, go by reference. */
export const MAX_INLINE_PAYLOAD_BYTES = 32 * 1024
export const MAX_INLINE_FANOUT = 16

/** Served 6:3:1 while all of them wait. */
export const PRIORITY_CLASSES = ['high', 'normal', 'low'] as const
export type PriorityClass = (typeof PRIORITY_CLASSES)[number]

/** Each priority has a second topic, for what belongs to somebody's flood: `announce-due.ts` of the bus tells which does. */
export type DueTopicName = `delivery.due.${PriorityClass}` | BulkTopicName
export type BulkTopicName = `delivery.due.${PriorityClass}.bulk`

/** Postgres time in whole microseconds since 1970: exact in a double until the year 2255. */
const Micros = z.number().int()

export const EventAccepted = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  eventId: z.string(),
})
export type EventAccepted = z.infer<typeof EventAccepted>

/** All that a try needs but the endpoint's configuration; null payload: read it from Postgres. */
export const DueDelivery = z.object({
  v: z.literal(1),
  kind: z.literal('delivery'),
  /** `due_at` as announced: whoever holds this token may act until then. */
  token: Micros,
  tenantId: z.string(),
  projectId: z.string(),
  eventId: z.string(),
  deliveryId: z.string(),
  /** null: a direct event, sent to `destination`. */
  endpointId: z.string().nullable(),
  /** In which it is the head; null: its endpoint is not FIFO. */
  lane: z.string().nullable().default(null),
  destination: z.string().nullable(),
  eventType: z.string().nullable(),
  /** The JSON text as the sender wrote it. */
  payload: z.string().nullable(),
  headers: z.record(z.string(), z.string()).nullable(),
  priority: z.number().int(),
  seq: z.number().int(),
  /** Tries recorded so far, over all replays. */
  attempts: z.number().int(),
  /** Of these, the ones made before the last replay. */
  attemptsBefore: z.number().int(),
  /** As the sender gave it; null: the endpoint's `maxRetries`. */
  maxAttempts: z.number().int().nullable(),
  /** How often the event had been edited when this was read; absent: never. */
  edition: z.number().int().optional(),
  traceId: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
})
export type DueDelivery = z.infer<typeof DueDelivery>

/** A target has parked deliveries whose next may go: whoever takes its lease serves them. */
export const DueBacklog = z.object({
  v: z.literal(1),
  kind: z.literal('backlog'),
  token: Micros,
  tenantId: z.string(),
  targetId: z.string(),
  endpointId: z.string().nullable(),
})
export type DueBacklog = z.infer<typeof DueBacklog>

export const DeliveryDue = z.discriminatedUnion('kind', [DueDelivery, DueBacklog])
export type DeliveryDue = z.infer<typeof DeliveryDue>

/** Something that services keep in memory has changed: drop what you hold of this tenant. */
export const ConfigChanged = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  what: z.enum(['endpoints', 'event-types', 'api-keys', 'projects', 'secrets', 'inbound']),
})
export type ConfigChanged = z.infer<typeof ConfigChanged>

/** An endpoint in poll mode has something to fetch: whoever waits for it may look. */
export const PollReady = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  endpointId: z.string(),
})
export type PollReady = z.infer<typeof PollReady>

/** Something is due, or will be within `DUE_SOON_MS`: whoever sweeps looks now instead of when it would have. */
export const DueSoon = z.object({ v: z.literal(1) })
export type DueSoon = z.infer<typeof DueSoon>
/**
 * How often is looked for what is due though nothing seems to be; what is due later than this is seen before it is. Below
 * the first back-off by default, 900 to 1,100 ms, so that only shorter ones and what is due at once need be told of.
 */
export const DUE_SOON_MS = 500

interface Topic<Value> {
  readonly schema: z.ZodType<Value>
  readonly meaning: string
  /** Those of one key are read in the order of their sending, by one instance. null: no matter which. */
  readonly key: (value: Value) => string | null
  readonly writers: readonly string[]
  readonly readers: readonly string[]
  /** `group`: each message to one instance of each reader. `every`: to every instance. */
  readonly delivery: 'group' | 'every'
}

function topic<Value>(entry: Topic<Value>): Topic<Value> {
  return entry
}

/** Those of a lane to one partition: what was announced first is read first. Order does not rest on it. */
function dueKey(value: DeliveryDue): string | null {
  if (value.kind === 'backlog') return value.targetId
  return value.lane === null ? null : `${value.endpointId}:${value.lane}`
}

function dueTopic(meaning: string): Topic<DeliveryDue> {
  return topic<DeliveryDue>({
    schema: DeliveryDue,
    meaning,
    key: dueKey,
    writers: ['ingest-api', 'fanout', 'retry-scheduler', 'portal-api'],
    readers: ['dispatcher'],
    delivery: 'group',
  })
}

export const TOPICS = {
  'event.accepted': topic<EventAccepted>({
    schema: EventAccepted,
    meaning: 'An event by type waits to be fanned out.',
    key: () => null,
    writers: ['ingest-api', 'inbound-receiver', 'retry-scheduler', 'dispatcher', 'portal-api'],
    readers: ['fanout'],
    delivery: 'group',
  }),
  'delivery.due.high': dueTopic('A delivery of priority 1 to 3, or a backlog, may go now.'),
  'delivery.due.normal': dueTopic('A delivery of priority 4 to 7 may go now.'),
  'delivery.due.low': dueTopic('A delivery of priority 8 to 10 may go now.'),
  'delivery.due.high.bulk': dueTopic('The same, of a flow that is a flood.'),
  'delivery.due.normal.bulk': dueTopic('The same, of a flow that is a flood.'),
  'delivery.due.low.bulk': dueTopic('The same, of a flow that is a flood.'),
  'poll.ready': topic<PollReady>({
    schema: PollReady,
    meaning: 'An endpoint in poll mode has events to fetch.',
    key: (value) => value.endpointId,
    writers: ['fanout', 'retry-scheduler', 'portal-api', 'ingest-api', 'dispatcher'],
    readers: ['portal-api'],
    delivery: 'every',
  }),
  'config.changed': topic<ConfigChanged>({
    schema: ConfigChanged,
    meaning: 'What instances cache of a tenant is out of date.',
    key: (value) => value.tenantId,
    writers: ['portal-api', 'dispatcher', 'inbound-receiver'],
    readers: ['ingest-api', 'inbound-receiver', 'fanout', 'dispatcher', 'portal-api'],
    delivery: 'every',
  }),
  'due.soon': topic<DueSoon>({
    schema: DueSoon,
    meaning: 'A row may be due before the next sweep.',
    key: () => null,
    writers: ['dispatcher', 'portal-api'],
    readers: ['retry-scheduler'],
    delivery: 'every',
  }),
} as const

export type TopicName = keyof typeof TOPICS
export type MessageOf<Name extends TopicName> = z.infer<(typeof TOPICS)[Name]['schema']>

/**
 * Of a message beside its payload: 19 fields, five ids of 56 bytes each, and its places in queues; 700 bytes as heap
 * snapshots have it.
 */
const MESSAGE_BYTES = 768

/** What a message takes in memory, within a third. */
export function bytesOfMessage(value: MessageOf<TopicName>): number {
  return MESSAGE_BYTES + ('payload' in value ? (value.payload?.length ?? 0) : 0)
}

/** The class of a priority from 1 (first) to 10 (last). */
export function priorityClass(priority: number): PriorityClass {
  if (priority <= 3) return 'high'
  return priority <= 7 ? 'normal' : 'low'
}

/** Of a message that belongs to no flood. */
export function dueTopicOf(message: DeliveryDue): `delivery.due.${PriorityClass}` {
  return message.kind === 'backlog'
    ? 'delivery.due.high'
    : `delivery.due.${priorityClass(message.priority)}`
}
