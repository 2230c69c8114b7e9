/**
 * The tokens that identity providers send. A token is shown in the answer that makes it only; its
 * SHA-256 is stored. A revoked one keeps its row and is not listed any more.
 */
import type { ScimTokenRecord } from '@posthorn/contracts/scim'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { actorOf, type Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { ScimToken } from '@posthorn/store/generated/client'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'

export interface ScimTokenDeps {
  database: Pick<Database, 'scimToken' | '$transaction'>
  announceChange: AnnounceChange
  /** Epoch ms. */
  now: () => number
}

type TokenHandlers = Pick<
  Handlers<'portal-api'>,
  'listScimTokens' | 'createScimToken' | 'deleteScimToken'
>

/** A workspace has an identity provider, and another while it moves. */
const MAX_TOKENS = 10
const PREFIX = 'ph_scim_'

export function createScimTokens({ database, announceChange, now }: ScimTokenDeps): TokenHandlers {
  return {
    async listScimTokens({ caller, query }) {
      const where = { tenantId: caller.tenantId, revokedAt: null }
      const rows = await database.scimToken.findMany(pageOf(where, query))
      return toPage(rows, query.limit, toRecord)
    },
    async createScimToken({ caller, body, audit }) {
      const { tenantId } = caller
      const token = newSecretToken(PREFIX)
      const row = await database.$transaction(async (transaction) => {
        const created = await transaction.scimToken.create({
          data: {
            tenantId,
            id: newId(),
            name: body.name,
            tokenHash: hashSecretToken(token),
            createdBy: actorOf(caller),
          },
        })
        const changes = changesOf(null, toRecord(created))
        await recordAudit(transaction, audit, { resourceId: created.id, changes })
        await checkCount(transaction, tenantId, {
          name: 'SCIM tokens',
          max: MAX_TOKENS,
          count: () => transaction.scimToken.count({ where: { tenantId, revokedAt: null } }),
        })
        return created
      })
      announceChange(tenantId, 'sessions')
      return { ...toRecord(row), token }
    },
    async deleteScimToken({ caller, params, audit }) {
      const where = { tenantId: caller.tenantId, id: params['id'] ?? '', revokedAt: null }
      const data = { revokedAt: new Date(now()) }
      await database.$transaction(async (transaction) => {
        const [revoked] = await transaction.scimToken.updateManyAndReturn({ where, data })
        if (revoked === undefined) throw notFound('SCIM token')
        const metadata = { name: revoked.name }
        await recordAudit(transaction, audit, { resourceId: revoked.id, metadata })
      })
      announceChange(caller.tenantId, 'sessions')
      return undefined
    },
  }
}

function toRecord({ id, name, createdAt, lastUsedAt }: ScimToken): ScimTokenRecord {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
