/** The workspace of the caller, and who calls. */
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import { toClient } from '../auth/accounts.ts'

export interface MeDeps {
  database: Pick<Database, 'tenant' | '$transaction'>
}

type MeHandlers = Pick<Handlers<'portal-api'>, 'getMe' | 'completeOnboarding'>

export function createMe({ database }: MeDeps): MeHandlers {
  async function describe({ tenantId, plan, user, role, sessionId, scopes }: Caller) {
    const tenant = await database.tenant.findUniqueOrThrow({ where: { id: tenantId } })
    const isKey = sessionId === null
    return { ...toClient(tenant, plan), user, role: isKey ? null : role, scopes: [...scopes] }
  }
  return {
    getMe: ({ caller }) => describe(caller),
    async completeOnboarding({ caller, body: { companyName = null }, audit }) {
      const { tenantId } = caller
      await database.$transaction(async (transaction) => {
        const find = { where: { id: tenantId }, select: { name: true, onboardedAt: true } }
        const before = await transaction.tenant.findUniqueOrThrow(find)
        await transaction.$executeRaw`
          UPDATE tenants SET onboarded_at = coalesce(onboarded_at, now()),
            name = coalesce(${companyName}, name)
          WHERE id = ${tenantId}::uuid`
        const changes = changesOf(before, await transaction.tenant.findUniqueOrThrow(find))
        await recordAudit(transaction, audit, { resourceId: tenantId, changes })
      })
      return await describe(caller)
    },
  }
}
