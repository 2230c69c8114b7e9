/** Reads what `decide-sign-in.ts` decides by, and locks the user whom it finds. */
import { emailDomain } from '@posthorn/contracts/email-address'
import type { PlanName } from '@posthorn/domain/plans'
import type { Transaction } from '@posthorn/store/prisma'
import type { KnownUser, SignInFacts } from './decide-sign-in.ts'
import type { SsoProfile } from './identity-provider.ts'
import { enforcementFor } from './sso-required.ts'
import type { SignInConnection } from './sso-deps.ts'

export interface FactsConfig {
  trustedDomains: readonly string[]
  defaultPlan: PlanName
}

interface FoundUser {
  id: string
  email: string
  foundBy: KnownUser['foundBy']
  emailVerified: boolean
  mfaEnabled: boolean
}

export async function gatherFacts(
  transaction: Transaction,
  config: FactsConfig,
  { connection, profile }: { connection: SignInConnection; profile: SsoProfile },
): Promise<SignInFacts> {
  const domain = profile.email === null ? null : emailDomain(profile.email)
  const isTrusted = domain !== null && config.trustedDomains.includes(domain)
  const user = await findUser(transaction, connection, profile)
  const memberships = user === null ? [] : await membershipsOf(transaction, user.id)
  const enforced = await enforcement(transaction, config, {
    domains: [domain, user === null ? null : emailDomain(user.email.toLowerCase())],
    user: user && { id: user.id, tenantIds: memberships.map(({ tenantId }) => tenantId) },
  })
  return {
    connectionOf: connection.tenantId,
    defaultRole: connection.defaultRole,
    email: profile.email,
    emailIs: profile.emailIs,
    domain: {
      provedBy: domain === null ? null : await ownerOf(transaction, domain),
      trusted: isTrusted,
      enforcedBy: enforced?.tenantId ?? null,
    },
    trustedTenantId: isTrusted ? await oldestTenant(transaction) : null,
    user: user && {
      ...user,
      emailProvedBy: await ownerOf(transaction, emailDomain(user.email.toLowerCase())),
      isBreakGlass: enforced?.isBreakGlass === true,
      memberships,
    },
  }
}

/** By the identity if it is known, else by the address. */
async function findUser(
  transaction: Transaction,
  connection: SignInConnection,
  { issuer, subject, email }: SsoProfile,
): Promise<FoundUser | null> {
  const columns = `u.id, u.email, u.email_verified_at IS NOT NULL AS "emailVerified",
    u.mfa_enabled AS "mfaEnabled"`
  const [known] = await transaction.$queryRawUnsafe<FoundUser[]>(
    `SELECT ${columns}, 'identity' AS "foundBy"
      FROM sso_identities i JOIN users u ON u.id = i.user_id
      WHERE i.connection = $1 AND i.issuer = $2 AND i.subject = $3 FOR UPDATE OF u`,
    connection.key,
    issuer,
    subject,
  )
  if (known !== undefined || email === null) return known ?? null
  const [same] = await transaction.$queryRawUnsafe<FoundUser[]>(
    `SELECT ${columns}, 'email' AS "foundBy" FROM users u WHERE lower(u.email) = $1 FOR UPDATE`,
    email,
  )
  return same ?? null
}

async function membershipsOf(
  transaction: Transaction,
  userId: string,
): Promise<{ tenantId: string; active: boolean }[]> {
  return await transaction.$queryRaw`
    SELECT tenant_id::text AS "tenantId", status = 'active' AS active FROM memberships
    WHERE user_id = ${userId}::uuid
    ORDER BY last_login_at DESC NULLS LAST, created_at, tenant_id`
}

async function ownerOf(transaction: Transaction, domain: string): Promise<string | null> {
  const rows = await transaction.$queryRaw<{ tenantId: string }[]>`
    SELECT tenant_id::text AS "tenantId" FROM sso_domains
    WHERE domain = ${domain} AND verified_at IS NOT NULL`
  return rows[0]?.tenantId ?? null
}

/** The workspace of the installation that was there first: the operator's own. */
async function oldestTenant(transaction: Transaction): Promise<string | null> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM tenants WHERE parent_id IS NULL ORDER BY created_at, id LIMIT 1`
  return rows[0]?.id ?? null
}

/** A person is bound by the domain of their own address and by that of the provider's. */
async function enforcement(
  transaction: Transaction,
  config: FactsConfig,
  of: {
    domains: readonly (string | null)[]
    user: { id: string; tenantIds: readonly string[] } | null
  },
): Promise<{ tenantId: string; isBreakGlass: boolean } | null> {
  let found: { tenantId: string; isBreakGlass: boolean } | null = null
  for (const domain of new Set(of.domains)) {
    if (domain === null) continue
    const one = await enforcementFor(transaction, config, domain, of.user)
    if (one !== null && found?.isBreakGlass !== false) found = one
  }
  return found
}
