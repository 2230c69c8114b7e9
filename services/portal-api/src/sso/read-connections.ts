/** Reads and deletes a workspace's own connections. */
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'
import { toConnection } from './connection-record.ts'

type ConnectionReads = Pick<
  Handlers<'portal-api'>,
  'listSsoConnections' | 'getSsoConnection' | 'deleteSsoConnection'
>

export function createReadConnections(
  { publicUrl }: { publicUrl: string },
  { database }: { database: Database },
): ConnectionReads {
  return {
    async listSsoConnections({ caller: { tenantId }, query }) {
      const rows = await database.ssoConnection.findMany(pageOf({ tenantId }, query))
      return toPage(rows, query.limit, (row) => toConnection(publicUrl, row))
    },

    async getSsoConnection({ caller: { tenantId }, params }) {
      const row = await database.ssoConnection.findFirst({
        where: { tenantId, id: params['id'] ?? '' },
      })
      if (row === null) throw notFound('connection')
      return toConnection(publicUrl, row)
    },

    async deleteSsoConnection({ caller: { tenantId }, params, audit }) {
      const id = params['id'] ?? ''
      await database.$transaction(async (transaction) => {
        const where = { tenantId, id }
        const before = await transaction.ssoConnection.findFirst({ where })
        const { count } = await transaction.ssoConnection.deleteMany({ where })
        if (before === null || count === 0) throw notFound('connection')
        const { name, type } = before
        await recordAudit(transaction, audit, { resourceId: id, metadata: { name, type } })
        await transaction.ssoIdentity.deleteMany({ where: { connection: id } })
        await transaction.ssoFlow.deleteMany({ where: { connection: id } })
      })
      return undefined
    },
  }
}
