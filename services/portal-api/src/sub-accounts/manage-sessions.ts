/** Lists a sub-account's sessions and ends them. An ended one is refused at its next request. */
import type { SubAccountSessionItem } from '@posthorn/contracts/portal'
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { SubAccountSession } from '@posthorn/store/generated/client'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'

export interface ManageSessionsDeps {
  database: Pick<Database, 'tenant' | 'subAccountSession' | '$transaction'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SessionHandlers = Pick<
  Handlers<'portal-api'>,
  'listSubAccountSessions' | 'revokeSubAccountSession' | 'revokeSubAccountSessions'
>

export function createManageSessions({ database, now }: ManageSessionsDeps): SessionHandlers {
  return {
    async listSubAccountSessions({ caller, params, query }) {
      const tenantId = await requireOwn(database, caller.tenantId, params['id'] ?? '')
      const rows = await database.subAccountSession.findMany(pageOf({ tenantId }, query))
      return toPage(rows, query.limit, toItem)
    },

    async revokeSubAccountSession({ caller, params, audit }) {
      await database.$transaction(async (transaction) => {
        const tenantId = await requireOwn(transaction, caller.tenantId, params['id'] ?? '')
        const where = { tenantId, id: params['sessionId'] ?? '' }
        const session = await transaction.subAccountSession.findFirst({ where })
        if (session === null) throw notFound('session')
        await revokeSubAccountSessions(transaction, where, now())
        const metadata = { subAccountId: tenantId }
        await recordAudit(transaction, audit, { resourceId: session.id, metadata })
      })
      return undefined
    },

    async revokeSubAccountSessions({ caller, params, audit }) {
      await database.$transaction(async (transaction) => {
        const tenantId = await requireOwn(transaction, caller.tenantId, params['id'] ?? '')
        await revokeSubAccountSessions(transaction, { tenantId }, now())
        await recordAudit(transaction, audit, { resourceId: tenantId })
      })
      return undefined
    },
  }
}

/** Ends one session of a sub-account, or all; one that was ended before keeps its time. */
export async function revokeSubAccountSessions(
  transaction: Pick<Transaction, 'subAccountSession'>,
  which: { tenantId: string; id?: string },
  now: number,
): Promise<void> {
  const where = { ...which, revokedAt: null }
  await transaction.subAccountSession.updateMany({ where, data: { revokedAt: new Date(now) } })
}

async function requireOwn(
  database: Pick<Transaction, 'tenant'>,
  parentId: string,
  id: string,
): Promise<string> {
  const found = await database.tenant.findFirst({ where: { id, parentId }, select: { id: true } })
  if (found === null) throw notFound('sub-account')
  return found.id
}

function toItem(row: SubAccountSession): SubAccountSessionItem {
  return {
    id: row.id,
    scopes: row.scopes as SubAccountSessionItem['scopes'],
    return_url: row.returnUrl,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    max_expires_at: row.maxExpiresAt.toISOString(),
    consumed_at: row.consumedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    use_count: Number(row.useCount),
  }
}
