/**
 * Queries and bodies of SCIM, and of the tokens that identity providers send with it. Bodies are
 * open: SCIM's clients send more than is kept, and what is kept is checked where it is read
 * (`services/portal-api/src/scim`).
 */
import { z } from 'zod'
import { PageQuery, pageOf, recordOf, textOf } from './fields.ts'

const count = z.string().regex(/^-?\d{1,9}$/, 'must be a whole number')

/** Parameters that are not known are ignored: Entra adds `aadOptscim062020`. */
const ShownAttributesQuery = z.object({
  attributes: z.string().max(1_024).optional().describe('names to show, separated by commas'),
  excludedAttributes: z.string().max(1_024).optional(),
})

export const ScimUserQuery = ShownAttributesQuery

export const ScimListQuery = z.object({
  ...ShownAttributesQuery.shape,
  filter: z
    .string()
    .max(2_048)
    .optional()
    .describe('comparisons with `eq`, joined by `and`, at most 512 characters'),
  startIndex: count.optional().describe('from 1 on; less counts as 1'),
  count: count.optional().describe('at most 200; less than 0 counts as 0; default: 100'),
})
export type ScimListQuery = z.infer<typeof ScimListQuery>

const names = z.array(z.string().max(256)).max(50)

export const ScimSearch = z.looseObject({
  attributes: names.optional(),
  excludedAttributes: names.optional(),
  filter: z.string().max(2_048).optional(),
  startIndex: z.number().int().optional(),
  count: z.number().int().optional(),
})

/** RFC 7643 has 20, and identity providers add a handful of their own. */
const MAX_ATTRIBUTES = 200
const attributes = recordOf(z.string(), z.unknown(), MAX_ATTRIBUTES)

export const ScimUser = attributes.describe('a User of SCIM 2.0')
export const ScimPatch = attributes.describe('a PatchOp of SCIM 2.0')
export const ScimDocument = z.record(z.string(), z.unknown())

/** As the database keeps them; the token itself is not among it. */
export const ScimTokenRecord = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type ScimTokenRecord = z.infer<typeof ScimTokenRecord>

export const CreateScimToken = z.strictObject({ name: textOf(1, 100) })
export const ScimTokenCreated = z.object({
  ...ScimTokenRecord.shape,
  token: z.string().describe('shown this once'),
})
export const ScimTokenPage = pageOf(ScimTokenRecord)
export const ScimTokenListQuery = PageQuery
