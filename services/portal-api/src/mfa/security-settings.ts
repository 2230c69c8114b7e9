/** Whether a workspace wants a second factor of each of its members. */
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { refuseBoundKey } from '../refusals.ts'

export interface SecuritySettingsDeps {
  database: Pick<Database, 'tenant'>
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

    async updateSecurity({ caller, body }) {
      refuseBoundKey(caller)
      const { tenantId } = caller
      const { requireMfa } = body
      const data = { requireMfa }
      const saved = await database.tenant.update({ where: { id: tenantId }, data, select })
      // Sessions keep it for a second.
      announceChange(tenantId, 'sessions')
      return saved
    },
  }
}
