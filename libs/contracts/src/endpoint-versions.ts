/** Queries and answers of the routes that read and restore an endpoint's versions. */
import { z } from 'zod'
import { Endpoint } from './endpoints.ts'
import { PageQuery, pageOf } from './fields.ts'

/** The part of an endpoint's record that is versioned. Secrets are not: they have no versions. */
export const VersionConfig = Endpoint.omit({
  id: true,
  projectId: true,
  status: true,
  circuitState: true,
  version: true,
  hasMtls: true,
  mtlsCert: true,
  signingSecretHint: true,
  storageKeyHint: true,
  createdAt: true,
  updatedAt: true,
})
export type VersionConfig = z.infer<typeof VersionConfig>

export const EndpointVersion = z.object({
  version: z.number().int(),
  config: VersionConfig,
  changedBy: z.string(),
  changedAt: z.string(),
  changes: z.array(z.string()).describe('fields that differ from the version before'),
})
export type EndpointVersion = z.infer<typeof EndpointVersion>

export const EndpointVersionPage = pageOf(EndpointVersion)
/** The cursors of this list are version numbers, unlike those of other lists. */
export const EndpointVersionListQuery = PageQuery.extend({ cursor: z.string().optional() })

/** Nine digits fit into a column of integers. */
const VersionNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be the number of a version')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 999_999_999 } })

export const VersionDiffQuery = z.object({ v1: VersionNumber, v2: VersionNumber })
export type VersionDiffQuery = z.infer<typeof VersionDiffQuery>

export const VersionDiff = z.object({
  v1: z.number().int(),
  v2: z.number().int(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
})
export type VersionDiff = z.infer<typeof VersionDiff>
