/** Whether a workspace wants a second factor of each of its members. */
import type { Handlers } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { refuseBoundKey } from '../refusals.ts'

export interface SecuritySettingsDeps {
  database: Pick<Database, 'tenant' | '$transaction'>
  announceChange: AnnounceChange
}

export function createSecuritySettings({
  database,
  announceChange,
}: SecuritySettingsDeps): Pick<Handlers<'portal-api'>, 'getSecurity' | 'updateSecurity'> {
  const select = { requireMfa: true }
  return {
    async getSecurity({ caller }) {
      return await database.tenant.findUniqueOrThrow({ where: { id: caller.tenantId }, select })
    },

    async updateSecurity({ caller, body, audit }) {
      refuseBoundKey(caller)
      const { tenantId } = caller
      const { requireMfa } = body
      const data = { requireMfa }
      const where = { id: tenantId }
      const saved = await database.$transaction(async (transaction) => {
        const before = await transaction.tenant.findUniqueOrThrow({ where, select })
        const after = await transaction.tenant.update({ where, data, select })
        const changes = changesOf(before, after)
        await recordAudit(transaction, audit, { resourceId: tenantId, changes })
        return after
      })
      // Sessions keep it for a second.
      announceChange(tenantId, 'sessions')
      return saved
    },
  }
}
