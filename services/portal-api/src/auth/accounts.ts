/** People and the workspaces that they are active members of, as the routes of sign-in tell. */
import type { AuthClient, AuthUser } from '@posthorn/contracts/auth'
import { type PlanName, planNamed } from '@posthorn/domain/plans'
import type { Role } from '@posthorn/domain/roles'
import { planOf } from '@posthorn/store/caller-tenant'
import { Prisma, type Tenant, type User } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'

export interface MemberAccount {
  user: AuthUser
  client: AuthClient
  role: Role
}

interface AccountRow {
  user: AuthUser
  id: string
  name: string
  plan: string | null
  onboardedAt: Date | null
  createdAt: Date
  role: Role
}

const PLAN = Prisma.raw(planOf('m.tenant_id'))

/** A person's workspaces, the one where they signed in last first. */
export async function readAccounts(
  database: Pick<Transaction, '$queryRaw'> | Pick<Database, '$queryRaw'>,
  userId: string,
  defaultPlan: PlanName,
): Promise<MemberAccount[]> {
  const rows = await database.$queryRaw<AccountRow[]>`
    SELECT t.id, t.name, ${PLAN} AS plan, t.onboarded_at AS "onboardedAt",
      t.created_at AS "createdAt", m.role, json_build_object(
        'id', u.id, 'email', u.email, 'name', u.name,
        'emailVerified', u.email_verified_at IS NOT NULL, 'mfaEnabled', u.mfa_enabled
      ) AS "user"
    FROM memberships m JOIN tenants t ON t.id = m.tenant_id JOIN users u ON u.id = m.user_id
    WHERE m.user_id = ${userId}::uuid AND m.status = 'active'
    ORDER BY m.last_login_at DESC NULLS LAST, m.created_at, t.id`
  return rows.map(({ user, role, plan, ...tenant }) => ({
    user,
    role,
    client: toClient(tenant, planNamed(plan, defaultPlan)),
  }))
}

export function toClient(
  tenant: Pick<Tenant, 'id' | 'name' | 'onboardedAt' | 'createdAt'>,
  plan: PlanName,
): AuthClient {
  return {
    id: tenant.id,
    name: tenant.name,
    plan,
    onboardingComplete: tenant.onboardedAt !== null,
    createdAt: tenant.createdAt.toISOString(),
  }
}

export function toUser(
  row: Pick<User, 'id' | 'email' | 'name' | 'emailVerifiedAt' | 'mfaEnabled'>,
): AuthUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.emailVerifiedAt !== null,
    mfaEnabled: row.mfaEnabled,
  }
}
