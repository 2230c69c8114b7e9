/**
 * Whether an address must be signed in by its workspace's connection: the connection is enforced
 * and serves the address's domain.
 *
 * A domain that is only trusted by the operator is served by any workspace that says so; there it
 * binds the workspace's own members, and addresses that nobody has, so that no workspace shuts
 * another's people out.
 */
import { emailDomain } from '@posthorn/contracts/email-address'
import type { PlanName } from '@posthorn/domain/plans'
import type { Database } from '@posthorn/store/prisma'
import { findConnectionsOfDomain } from './find-connections.ts'
import { normalEmail } from './identity-provider.ts'

export interface EnforcementConfig {
  trustedDomains: readonly string[]
  defaultPlan: PlanName
}

type Reader = Pick<Database, '$queryRawUnsafe'>

export interface BoundUser {
  id: string
  /** The workspaces that the user is a member of. */
  tenantIds: readonly string[]
}

export interface Enforcement {
  tenantId: string
  /** Whether the user is the one admin whom the connection does not bind. */
  isBreakGlass: boolean
}

/** @param user who has the address; null: nobody. @returns null: nothing is enforced */
export async function enforcementFor(
  database: Reader,
  config: EnforcementConfig,
  domain: string,
  user: BoundUser | null,
): Promise<Enforcement | null> {
  const { trustedDomains, defaultPlan } = config
  const isTrusted = trustedDomains.includes(domain)
  const serving = await findConnectionsOfDomain(database, domain, { isTrusted, defaultPlan })
  const binding = serving.filter(
    ({ enforced, proved, tenantId }) =>
      enforced && (proved || user === null || user.tenantIds.includes(tenantId)),
  )
  const [first] = binding
  if (first === undefined) return null
  const isBreakGlass = binding.every(({ breakGlassUserId }) => breakGlassUserId === user?.id)
  return { tenantId: first.tenantId, isBreakGlass: user !== null && isBreakGlass }
}

/**
 * For every way to sign in that is none of the company's: whether it is refused with
 * `SSO_REQUIRED`.
 *
 * @param reader a transaction, within one: a second connection might be waited for in vain
 */
export type SsoRequiredFor = (email: string, reader?: Reader) => Promise<boolean>

export function createSsoRequiredFor(database: Reader, config: EnforcementConfig): SsoRequiredFor {
  return async (text, reader = database) => {
    const email = normalEmail(text)
    if (email === null) return false
    const users = await reader.$queryRawUnsafe<BoundUser[]>(
      `SELECT u.id, ARRAY(SELECT m.tenant_id::text FROM memberships m WHERE m.user_id = u.id)
        AS "tenantIds" FROM users u WHERE lower(u.email) = $1`,
      email,
    )
    const enforcement = await enforcementFor(reader, config, emailDomain(email), users[0] ?? null)
    return enforcement !== null && !enforcement.isBreakGlass
  }
}
