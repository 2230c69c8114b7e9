/**
 * Revokes an API key; revoking it again is no error. The row stays, so that what the key did can
 * still be looked up.
 */
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { apiKeysOf } from './api-key-record.ts'

export interface RevokeApiKeyDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createRevokeApiKey(deps: RevokeApiKeyDeps): Handlers<'portal-api'>['revokeApiKey'] {
  return async ({ caller, params, audit }) => {
    const where = { ...apiKeysOf(caller), id: params['id'] ?? '' }
    const revokedAt = new Date(deps.now())
    await deps.database.$transaction(async (transaction) => {
      const before = await transaction.apiKey.findFirst({ where })
      if (before === null) throw notFound('API key')
      await transaction.apiKey.updateMany({
        where: { ...where, revokedAt: null },
        data: { revokedAt },
      })
      await recordAudit(transaction, audit, {
        resourceId: where.id,
        metadata: { name: before.name },
      })
    })
    deps.announceChange(caller.tenantId, 'api-keys')
    return undefined
  }
}
