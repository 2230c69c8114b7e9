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
    async completeOnboarding({ caller }) {
      await database.$executeRaw`
        UPDATE tenants SET onboarded_at = now()
        WHERE id = ${caller.tenantId}::uuid AND onboarded_at IS NULL`
      return await describe(caller)
    },
  }
}
