/**
 * Revokes an API key; revoking it again is no error. The row stays, so that what the key did can
 * still be looked up.
 */
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { apiKeysOf } from './api-key-record.ts'

export interface RevokeApiKeyDeps {
  database: Pick<Database, 'apiKey'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createRevokeApiKey(deps: RevokeApiKeyDeps): Handlers<'portal-api'>['revokeApiKey'] {
  return async ({ caller, params }) => {
    const where = { ...apiKeysOf(caller), id: params['id'] ?? '' }
    const revokedAt = new Date(deps.now())
    const { count } = await deps.database.apiKey.updateMany({
      where: { ...where, revokedAt: null },
      data: { revokedAt },
    })
    if (count === 0 && (await deps.database.apiKey.count({ where })) === 0)
      throw notFound('API key')
    deps.announceChange(caller.tenantId, 'api-keys')
    return undefined
  }
}
