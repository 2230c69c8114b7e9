/** The workspace of the caller, and who calls. */
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import { toClient } from '../auth/accounts.ts'

export interface MeDeps {
  database: Pick<Database, 'tenant' | '$executeRaw'>
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
    async completeOnboarding({ caller, body: { companyName = null } }) {
      await database.$executeRaw`
        UPDATE tenants SET onboarded_at = coalesce(onboarded_at, now()),
          name = coalesce(${companyName}, name)
        WHERE id = ${caller.tenantId}::uuid`
      return await describe(caller)
    },
  }
}
