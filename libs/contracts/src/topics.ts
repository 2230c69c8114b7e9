/**
 * The catalog of topics: what crosses the bus, who writes it and who reads it. A message only tells
 * the next service of a row early. The row in Postgres is the truth, so every message may be lost,
 * repeated or late.
 *
 * Values are versioned (`v`): a consumer accepts its own version and the one before.
 */
import { z } from 'zod'

/**
 * A payload of more than this many bytes, or for more than `MAX_INLINE_FANOUT` deliveries, is left
 * out of the message and read from Postgres.
 */
export const MAX_INLINE_PAYLOAD_BYTES = 32 * 1024
export const MAX_INLINE_FANOUT = 16

/** Served 6:3:1 while messages of all classes wait. */
export const PRIORITY_CLASSES = ['high', 'normal', 'low'] as const
export type PriorityClass = (typeof PRIORITY_CLASSES)[number]

/**
 * Each priority has a second topic for messages that belong to a flood. `announce-due.ts` of the
 * bus decides which do.
 */
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

/** What an attempt needs besides the endpoint's configuration. */
export const DueDelivery = z.object({
  v: z.literal(1),
  kind: z.literal('delivery'),
  /** The `due_at` that was announced: whoever claims this token may act until then. */
  token: Micros,
  tenantId: z.string(),
  projectId: z.string(),
  eventId: z.string(),
  deliveryId: z.string(),
  /** null: a direct event, sent to `destination`. */
  endpointId: z.string().nullable(),
  /** The FIFO lane whose head this delivery is; null when its endpoint is not FIFO. */
  lane: z.string().nullable().default(null),
  destination: z.string().nullable(),
  eventType: z.string().nullable(),
  /** The JSON text as the sender wrote it; null when it must be read from Postgres. */
  payload: z.string().nullable(),
  /** JSON text of a record of header names and values. */
  headers: z.string().nullable(),
  priority: z.number().int(),
  seq: z.number().int(),
  /** Attempts recorded so far, over all replays. */
  attempts: z.number().int(),
  /** How many of these were made before the last replay. */
  attemptsBefore: z.number().int(),
  /** As given by the sender; null: the endpoint's `maxRetries` applies. */
  maxAttempts: z.number().int().nullable(),
  /** How often the event had been edited when this was read; absent when never. */
  edition: z.number().int().optional(),
  traceId: z.string(),
  /** The trace of the request that brought the event, where it had one. */
  traceparent: z.string().optional(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
})
export type DueDelivery = z.infer<typeof DueDelivery>

/** The next parked delivery of a target may go: whoever takes the backlog's lease serves it. */
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

const DUE_KINDS: readonly unknown[] = ['delivery', 'backlog']

/** What the tenant's configuration has of which instances keep something in memory. */
export const CONFIG_ASPECTS = [
  'endpoints',
  'event-types',
  'api-keys',
  'projects',
  'secrets',
  'inbound',
  'sessions',
  'plan',
  'sub-accounts',
] as const
export type ConfigAspect = (typeof CONFIG_ASPECTS)[number]

/** Configuration has changed: instances drop what they cache of this tenant. */
export const ConfigChanged = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  /** A `ConfigAspect`, or the word of a later version: then everything is out of date. */
  what: z.string().max(64),
})
export type ConfigChanged = z.infer<typeof ConfigChanged>

/** Whether a change concerns an aspect, as far as this version can tell. */
export function concerns(what: string, aspect: ConfigAspect): boolean {
  return what === aspect || !(CONFIG_ASPECTS as readonly string[]).includes(what)
}

/** An endpoint in poll mode has events to fetch: polls that wait for it look again. */
export const PollReady = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  endpointId: z.string(),
})
export type PollReady = z.infer<typeof PollReady>

/**
 * A row is due, or will be within `DUE_SOON_MS`: the retry-scheduler sweeps now rather than at its
 * next round.
 */
export const DueSoon = z.object({ v: z.literal(1) })
export type DueSoon = z.infer<typeof DueSoon>
/**
 * How often an idle retry-scheduler looks for due rows. What falls due later than this is seen in
 * time without being announced. It is below the first default back-off of 900 to 1,100 ms, so only
 * shorter back-offs and rows that are due at once need an announcement.
 */
export const DUE_SOON_MS = 500

/** Deliveries of somebody else go beside a flood of this tenant. */
export const FloodCongested = z.object({
  v: z.literal(1),
  tenantId: z.string(),
  /**
   * How long the others' deliveries took in the median from their statement in Postgres to a
   * dispatcher, without what the bus takes to make batches; absent in messages of an older version.
   */
  lateMs: z.number().min(0).optional(),
})
export type FloodCongested = z.infer<typeof FloodCongested>
/** A dispatcher says so this often while it lasts. */
export const CONGESTION_EVERY_MS = 250

interface Topic<Value> {
  readonly schema: z.ZodType<Value>
  readonly meaning: string
  /**
   * Messages of one key are read in the order in which they were sent, by one instance. null: any
   * partition.
   */
  readonly key: (value: Value) => string | null
  readonly writers: readonly string[]
  readonly readers: readonly string[]
  /** `group`: one instance of each reading service gets each message. `every`: all instances do. */
  readonly delivery: 'group' | 'every'
  /** Sent and read after the messages of other topics, while those leave something over. */
  readonly isBulk: boolean
  /**
   * Left out of most fetches while it is empty and other topics of its reader bring messages. Its
   * first message is read 50 ms late at worst then.
   */
  readonly isFetchedSeldomWhileEmpty: boolean
  /**
   * Whether a value that the schema refuses is work of a kind that only a later version knows. It
   * is passed over while an installation is upgraded: its row is announced again when it is due.
   */
  readonly isOfLaterKind?: (value: unknown) => boolean
}

type TopicKind = Pick<Topic<unknown>, 'isBulk' | 'isFetchedSeldomWhileEmpty'>

const ORDINARY: TopicKind = { isBulk: false, isFetchedSeldomWhileEmpty: false }
const LOW: TopicKind = { isBulk: false, isFetchedSeldomWhileEmpty: true }
const BULK: TopicKind = { isBulk: true, isFetchedSeldomWhileEmpty: true }

function topic<Value>(
  entry: Omit<Topic<Value>, keyof TopicKind>,
  kind: TopicKind = ORDINARY,
): Topic<Value> {
  return { ...entry, ...kind }
}

/**
 * The messages of a lane go to one partition, so that they are usually read in order. Correctness
 * does not depend on it.
 */
function dueKey(value: DeliveryDue): string | null {
  if (value.kind === 'backlog') return value.targetId
  return value.lane === null ? null : `${value.endpointId}:${value.lane}`
}

function dueTopic(meaning: string, kind?: TopicKind): Topic<DeliveryDue> {
  return topic<DeliveryDue>(
    {
      schema: DeliveryDue,
      meaning,
      key: dueKey,
      writers: ['ingest-api', 'fanout', 'retry-scheduler', 'portal-api'],
      readers: ['dispatcher'],
      delivery: 'group',
      isOfLaterKind,
    },
    kind,
  )
}

function isOfLaterKind(value: unknown): boolean {
  const { v, kind } = (value ?? {}) as { v?: unknown; kind?: unknown }
  return v === 1 && typeof kind === 'string' && !DUE_KINDS.includes(kind)
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
  'delivery.due.low': dueTopic('A delivery of priority 8 to 10 may go now.', LOW),
  'delivery.due.high.bulk': dueTopic('The same, of a flow that is a flood.', BULK),
  'delivery.due.normal.bulk': dueTopic('The same, of a flow that is a flood.', BULK),
  'delivery.due.low.bulk': dueTopic('The same, of a flow that is a flood.', BULK),
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
    readers: [
      'ingest-api',
      'inbound-receiver',
      'fanout',
      'dispatcher',
      'portal-api',
      'compliance',
      'alerting',
    ],
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
  'flood.congested': topic<FloodCongested>({
    schema: FloodCongested,
    meaning: 'Deliveries of others go beside a flood: whoever fans it out leaves them time.',
    key: () => null,
    writers: ['dispatcher'],
    readers: ['fanout'],
    delivery: 'every',
  }),
} as const

export type TopicName = keyof typeof TOPICS
export type MessageOf<Name extends TopicName> = z.infer<(typeof TOPICS)[Name]['schema']>

/**
 * A message without its payload: 19 fields, five ids of 56 bytes each, and its entries in queues.
 * Heap snapshots show 700 bytes.
 */
const MESSAGE_BYTES = 768

/** The memory that a message takes, to within a third. */
export function bytesOfMessage(value: MessageOf<TopicName>): number {
  return MESSAGE_BYTES + ('payload' in value ? (value.payload?.length ?? 0) : 0)
}

/** The class of a priority from 1 (first) to 10 (last). */
export function priorityClass(priority: number): PriorityClass {
  if (priority <= 3) return 'high'
  return priority <= 7 ? 'normal' : 'low'
}

/** The topic of a message that does not belong to a flood. */
export function dueTopicOf(message: DeliveryDue): `delivery.due.${PriorityClass}` {
  return message.kind === 'backlog'
    ? 'delivery.due.high'
    : `delivery.due.${priorityClass(message.priority)}`
}
