/** Creates an API key. The answer is the only place where the key itself is ever seen: its SHA-256 is what is stored. */
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { grants, type Scope } from '@posthorn/domain/scopes'
import { badField } from '@posthorn/http/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { isGoneParent, notFound } from '../refusals.ts'
import { toApiKey } from './api-key-record.ts'

export interface CreateApiKeyDeps {
  database: Pick<Database, 'apiKey'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createCreateApiKey(deps: CreateApiKeyDeps): Handlers<'portal-api'>['createApiKey'] {
  return async ({ caller, body }) => {
    const now = deps.now()
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null
    if (expiresAt !== null && expiresAt.getTime() <= now) {
      throw badField('expiresAt', 'must lie in the future')
    }
    const scopes = [...new Set(body.scopes)]
    const beyond = scopes.find((scope) => !grants(caller.scopes, scope as Scope))
    if (beyond !== undefined) {
      throw new ApiError('FORBIDDEN', `the API key can't grant what it lacks itself: ${beyond}`)
    }

    const key = newApiKey(caller.environment)
    const { tenantId, projectId } = caller
    const row = await deps.database.apiKey
      .create({
        data: {
          tenantId,
          id: newId(),
          projectId,
          name: body.name,
          keyHash: Uint8Array.from(hashApiKey(key)),
          keyPrefix: apiKeyPrefix(key),
          scopes,
          rateLimit: body.rateLimit ?? null,
          expiresAt,
        },
      })
      .catch((error: unknown) => {
        throw isGoneParent(error) ? notFound('project') : error
      })
    deps.announceChange(tenantId, 'api-keys')
    return { ...toApiKey(row, now), key }
  }
}
