/** Bodies and answers of the inbound endpoint routes. */
import { z } from 'zod'
import { Transformation } from './endpoints.ts'
import { PageQuery, pageOf, recordOf, Timestamp } from './fields.ts'

const MAX_DESTINATIONS = 100
/** The path below the installation's public URL where platforms send their webhooks. */
export const INBOUND_PATH = '/inbound'
/** An RSA key in PEM has 800 characters; names of service accounts and the like are shorter. */
const MAX_CREDENTIAL_CHARACTERS = 8 * 1024
/** While a platform rotates a secret there are two. More than a handful is a mistake. */
const MAX_CREDENTIALS = 5
/** No platform has more than a handful. */
const MAX_CONFIG_KEYS = 50
/** Platforms send 30, and proxies add some. */
const MAX_SENT_HEADERS = 1_000

const PathSuffix = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, - and _')
const Credential = z.string().min(1).max(MAX_CREDENTIAL_CHARACTERS)

/**
 * Credentials by the preset's `configKeys`. A list holds several secrets, any of which may have
 * signed.
 */
export const SourceConfig = recordOf(
  z.string().max(64),
  z.union([Credential, z.array(Credential).min(1).max(MAX_CREDENTIALS)]),
  MAX_CONFIG_KEYS,
)
export type SourceConfig = z.infer<typeof SourceConfig>

const fields = {
  name: z.string().min(1).max(255),
  pathSuffix: PathSuffix,
  source: z.string().min(1).max(64),
  sourceConfig: SourceConfig,
  destinationIds: z.array(z.uuid()).max(MAX_DESTINATIONS).nullable(),
  /** A JSONPath. Whether it compiles is checked before the inbound endpoint is saved. */
  eventTypeMapping: z.string().min(1).max(500).nullable(),
  description: z.string().max(1_000).nullable(),
  transformation: Transformation.nullable(),
}
const InboundStatus = z.enum(['active', 'inactive'])

export const CreateInboundEndpoint = z
  .strictObject({ ...fields, status: InboundStatus })
  .partial()
  .required({ name: true, source: true })
export type CreateInboundEndpoint = z.infer<typeof CreateInboundEndpoint>

/**
 * Secrets that are left out of `sourceConfig`, or come back masked as they were shown, keep their
 * values.
 */
export const PatchInboundEndpoint = z.strictObject({ ...fields, status: InboundStatus }).partial()
export type PatchInboundEndpoint = z.infer<typeof PatchInboundEndpoint>

export const InboundEndpoint = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  ...fields,
  status: InboundStatus,
  url: z.string().describe('where the platform sends its webhooks'),
  receivedCount: z.number().int(),
  rejectedCount: z.number().int(),
  lastReceivedAt: Timestamp.nullable(),
  lastRejection: z
    .object({ at: Timestamp, reason: z.string() })
    .nullable()
    .describe('the sender only gets 401'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type InboundEndpoint = z.infer<typeof InboundEndpoint>

export const InboundEndpointListQuery = PageQuery
export const InboundEndpointPage = pageOf(InboundEndpoint)

export const InboundPreset = z.object({
  source: z.string(),
  name: z.string(),
  description: z.string(),
  mode: z.string(),
  configKeys: z.array(z.string()),
  signatureHeaders: z.array(z.string()),
  eventTypePath: z.string().nullable(),
  docs: z.string(),
})
export type InboundPreset = z.infer<typeof InboundPreset>
export const InboundPresetPage = pageOf(InboundPreset)

/** A request as the platform sent it, to be verified without making an event of it. */
export const VerifyInbound = z.strictObject({
  headers: recordOf(z.string(), z.string(), MAX_SENT_HEADERS),
  body: z.string().describe('exactly as it was sent'),
  /** The URL with its query as it was called; the default is the inbound endpoint's own. */
  url: z.string().max(2_048).optional(),
  method: z.enum(['GET', 'HEAD', 'POST']).default('POST'),
})
export type VerifyInbound = z.infer<typeof VerifyInbound>

export const InboundVerified = z.object({
  verified: z.boolean(),
  reason: z.string().nullable(),
  steps: z.array(
    z.object({ step: z.string(), expected: z.string(), found: z.string(), ok: z.boolean() }),
  ),
  eventType: z.string().nullable(),
  deliveryId: z.string().nullable(),
})
export type InboundVerified = z.infer<typeof InboundVerified>
