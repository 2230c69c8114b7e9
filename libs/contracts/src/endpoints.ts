/** Bodies and answers of the endpoint routes. */
import { DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import { z } from 'zod'
import { DEFAULT_ATTEMPTS, MAX_ATTEMPTS } from './events.ts'
import {
  DestinationUrl,
  EventTypeName,
  EventTypePattern,
  headersField,
  JsonObject,
  PageQuery,
  pageOf,
  textOf,
  textOfBytes,
} from './fields.ts'
import { StorageConfig, StorageTarget } from './storage-config.ts'

const WEEK_MS = 7 * 86_400_000
const MAX_EVENT_TYPES = 100
const MAX_CIDRS = 100
const MAX_CONDITIONS = 20
const MAX_TRANSFORMATION_BYTES = 64 * 1024
export const Transformation = textOfBytes(MAX_TRANSFORMATION_BYTES)
const MAX_PATH_CHARACTERS = 500
/** The cap of the plan `self_hosted`. */
const MAX_RATE = 100_000

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'nin',
  'contains',
  'startsWith',
  'endsWith',
  'exists',
  'regex',
] as const

export const DELIVERY_MODES = ['push', 'poll', 'storage'] as const
const PORTAL_DELIVERY_MODES = ['push', 'poll'] as const
export type DeliveryMode = (typeof DELIVERY_MODES)[number]

/** A JSONPath over the payload. Whether it compiles is checked before the endpoint is saved. */
const JsonPath = z.string().min(1).max(MAX_PATH_CHARACTERS)

export const FilterCondition = z.strictObject({
  field: JsonPath,
  operator: z.enum(FILTER_OPERATORS),
  /**
   * Any JSON. What is allowed depends on the operator and is checked before the endpoint is saved.
   */
  value: z.unknown().refine((value) => value !== undefined, 'is missing'),
})
export type FilterCondition = z.infer<typeof FilterCondition>

/** Any characters are allowed: their UTF-8 bytes are the key. */
export const SigningSecret = textOf(16, 256)

/** A chain of ten certificates of 4,096 bits is 20 KB. */
const MAX_PEM_CHARACTERS = 32 * 1024
/**
 * Before it is stored it is also checked that it parses, is in force, and that certificate and key
 * belong together.
 */
export const Pem = z.string().min(1).max(MAX_PEM_CHARACTERS)

/** The egress guard, which alone knows what a CIDR is, checks each one. */
const Cidrs = z.array(z.string().max(64)).max(MAX_CIDRS)

/** What an endpoint is set to, and what may be written. */
function endpointFields(brand: string) {
  const fields = {
    url: DestinationUrl,
    eventTypes: z.array(EventTypePattern).min(1).max(MAX_EVENT_TYPES),
    description: z.string().max(1_000).nullable(),
    maxRetries: z.number().int().min(1).max(MAX_ATTEMPTS),
    retryBackoffMs: z.number().int().min(100).max(86_400_000),
    retryBackoffMax: z.number().int().min(100).max(WEEK_MS),
    retryBackoffMult: z.number().min(1).max(10),
    timeoutMs: z.number().int().min(100).max(60_000),
    filter: z.array(FilterCondition).max(MAX_CONDITIONS).nullable(),
    transformation: Transformation.nullable(),
    fifo: z.boolean(),
    fifoPartitionKey: JsonPath.nullable(),
    rateLimitPerSec: z.number().int().min(0).max(MAX_RATE),
    circuitThreshold: z.number().int().min(0).max(100),
    circuitResetMs: z.number().int().min(1_000).max(86_400_000),
    deliveryMode: z.enum(DELIVERY_MODES),
    storageConfig: StorageTarget.nullable(),
    customHeaders: headersField(brand).nullable(),
    allowedCidrs: Cidrs.nullable(),
    blockedCidrs: Cidrs.nullable(),
  }
  const written = {
    ...fields,
    storageConfig: StorageConfig.nullable(),
    signingSecret: SigningSecret.nullable(),
    mtlsCert: Pem.nullable(),
    mtlsKey: Pem.nullable(),
    // Both spellings are accepted; answers use the other one.
    allowedCIDRs: Cidrs.nullable(),
    blockedCIDRs: Cidrs.nullable(),
  }
  return { fields, written }
}

/** `EndpointConfig` is one numbered version of an endpoint. Secrets are stored elsewhere. */
export function endpointSchemas(brand: string) {
  const { fields, written } = endpointFields(brand)
  const EndpointConfig = z.strictObject(fields)
  const PatchEndpoint = z
    .strictObject(written)
    .partial()
    .superRefine(refuseBothSpellings)
    .superRefine(refuseHalfAPair)
  const CreateEndpoint = z
    .strictObject({ ...written, status: z.enum(['active', 'paused']) })
    .partial()
    .required({ url: true, eventTypes: true })
    .superRefine(refuseBothSpellings)
    .superRefine(refuseHalfAPair)
  return { EndpointConfig, CreateEndpoint, PatchEndpoint }
}

/**
 * The bodies of endpoints as sub-accounts send them in the portal, where storage is the operator's.
 */
export function portalEndpointSchemas(brand: string) {
  const { storageConfig: _, ...rest } = endpointFields(brand).written
  const fields = { ...rest, deliveryMode: z.enum(PORTAL_DELIVERY_MODES) }
  const PortalPatchEndpoint = z
    .strictObject(fields)
    .partial()
    .superRefine(refuseBothSpellings)
    .superRefine(refuseHalfAPair)
  const PortalCreateEndpoint = z
    .strictObject({ ...fields, status: z.enum(['active', 'paused']) })
    .partial()
    .required({ url: true, eventTypes: true })
    .superRefine(refuseBothSpellings)
    .superRefine(refuseHalfAPair)
  return { PortalCreateEndpoint, PortalPatchEndpoint }
}

export type EndpointSchemas = ReturnType<typeof endpointSchemas>
export type EndpointConfig = z.infer<EndpointSchemas['EndpointConfig']>
export type CreateEndpoint = z.infer<EndpointSchemas['CreateEndpoint']>
export type PatchEndpoint = z.infer<EndpointSchemas['PatchEndpoint']>

export const ENDPOINT_DEFAULTS: Omit<EndpointConfig, 'url' | 'eventTypes'> = {
  description: null,
  maxRetries: DEFAULT_ATTEMPTS,
  ...DEFAULT_BACKOFF,
  timeoutMs: 30_000,
  filter: null,
  transformation: null,
  fifo: false,
  fifoPartitionKey: null,
  rateLimitPerSec: 0,
  circuitThreshold: 5,
  circuitResetMs: 300_000,
  deliveryMode: 'push',
  storageConfig: null,
  customHeaders: null,
  allowedCidrs: null,
  blockedCidrs: null,
}

function refuseBothSpellings(
  body: Record<string, unknown>,
  context: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
): void {
  for (const [name, alias] of [
    ['allowedCidrs', 'allowedCIDRs'],
    ['blockedCidrs', 'blockedCIDRs'],
  ] as const) {
    if (body[name] !== undefined && body[alias] !== undefined) {
      context.addIssue({ code: 'custom', message: `is the same field as ${name}`, path: [alias] })
    }
  }
}

/** A certificate can't be presented without its key, so both are given or removed together. */
function refuseHalfAPair(
  { mtlsCert, mtlsKey }: { mtlsCert?: unknown; mtlsKey?: unknown },
  context: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
): void {
  const kind = (value: unknown): string => (typeof value === 'string' ? 'pem' : String(value))
  if (kind(mtlsCert) === kind(mtlsKey)) return
  const [path, other] =
    typeof mtlsKey === 'string' ? ['mtlsCert', 'mtlsKey'] : ['mtlsKey', 'mtlsCert']
  const message = `goes with ${other}: give both, or null for both`
  context.addIssue({ code: 'custom', message, path: [path as string] })
}

export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/** Every field of the specification's table. Those that can't be set yet have their defaults. */
export const Endpoint = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(ENDPOINT_STATUSES),
  circuitState: z.enum(['closed', 'open', 'half_open']),
  version: z.number().int(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  description: z.string().nullable(),
  filter: z.array(FilterCondition).nullable(),
  transformation: z.string().nullable(),
  fifo: z.boolean(),
  fifoPartitionKey: z.string().nullable(),
  maxRetries: z.number().int(),
  retryBackoffMs: z.number().int(),
  retryBackoffMax: z.number().int(),
  retryBackoffMult: z.number(),
  timeoutMs: z.number().int(),
  rateLimitPerSec: z.number().int(),
  circuitThreshold: z.number().int(),
  circuitResetMs: z.number().int(),
  customHeaders: z.record(z.string(), z.string()).nullable(),
  allowedCidrs: z.array(z.string()).nullable(),
  blockedCidrs: z.array(z.string()).nullable(),
  deliveryMode: z.enum(DELIVERY_MODES),
  storageConfig: StorageTarget.nullable(),
  storageKeyHint: z
    .string()
    .nullable()
    .describe('last 4 characters of `accessKeyId`; null: there are no credentials'),
  hasMtls: z.boolean(),
  mtlsCert: z.string().nullable().describe('the client certificate, PEM; its key is never shown'),
  signingSecretHint: z.string().nullable().describe('last 4 characters; null: the global secret'),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Endpoint = z.infer<typeof Endpoint>

/** Only create and rotate show the secret. */
export const EndpointCreated = Endpoint.extend({ signingSecret: z.string().nullable() })
export const EndpointRotated = Endpoint.extend({
  signingSecret: z.string(),
  previousValidUntil: z.string().nullable().describe('until then the former secret signs as well'),
})

/** Both may be left out: the test event then has a type and a payload of its own. */
export const TestEndpoint = z.strictObject({
  eventType: EventTypeName.optional(),
  payload: JsonObject.optional(),
})
export type TestEndpoint = z.infer<typeof TestEndpoint>

export const SetMtls = z.strictObject({ certPem: Pem, keyPem: Pem })
export type SetMtls = z.infer<typeof SetMtls>

export const EndpointPage = pageOf(Endpoint)
export const EndpointListQuery = PageQuery

export const EgressIps = z.object({ ips: z.array(z.string()) })

const MAX_GRACE_MINUTES = 43_200

export const RotateSecret = z.strictObject({
  newSecret: SigningSecret.optional(),
  gracePeriodMinutes: z.number().int().min(0).max(MAX_GRACE_MINUTES).default(60),
})
export type RotateSecret = z.infer<typeof RotateSecret>

export const GlobalSecret = z.object({
  signingSecret: z.string(),
  previousValidUntil: z.string().nullable(),
})
