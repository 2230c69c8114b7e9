/** Bodies and answers of the API-key routes. */
import { SCOPES } from '@posthorn/domain/scopes'
import { z } from 'zod'
import { PageQuery, pageOf, Timestamp } from './fields.ts'

const MAX_RATE = 100_000

export const CreateApiKey = z.strictObject({
  name: z.string().min(1).max(100),
  scopes: z
    .array(z.enum(SCOPES as [string, ...string[]]))
    .min(1)
    .max(SCOPES.length),
  rateLimit: z.number().int().min(1).max(MAX_RATE).nullable().optional(),
  expiresAt: Timestamp.nullable().optional(),
})
export type CreateApiKey = z.infer<typeof CreateApiKey>

export const ApiKey = z.object({
  id: z.string(),
  projectId: z.string().nullable().describe('set: the key is bound to this project'),
  name: z.string(),
  keyPrefix: z.string(),
  scopes: z.array(z.string()),
  rateLimit: z.number().int().nullable().describe('requests a second; null: none'),
  expiresAt: z.string().nullable(),
  isActive: z.boolean().describe('false once revoked or expired'),
  createdAt: z.string(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyCreated = ApiKey.extend({ key: z.string().describe('shown this once') })
export const ApiKeyPage = pageOf(ApiKey)
export const ApiKeyListQuery = PageQuery
