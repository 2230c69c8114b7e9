/**
 * Connections by what a sign-in knows: an id, or the domain of an address. One that the workspace's
 * plan no longer allows counts as switched off: nobody signs in by it, and it enforces nothing.
 */
import { isUuid } from '@posthorn/domain/ids'
import { hasFeature, type PlanName, planNamed } from '@posthorn/domain/plans'
import type { Role } from '@posthorn/domain/roles'
import { planOf } from '@posthorn/store/caller-tenant'
import type { Database } from '@posthorn/store/prisma'

/** A connection that is switched on, as sign-ins see it. */
export interface ActiveConnection {
  id: string
  tenantId: string
  type: 'oidc' | 'saml'
  slug: string
  enforced: boolean
  defaultRole: Role
  breakGlassUserId: string | null
  config: Record<string, unknown>
  clientSecret: string | null
}

type FoundConnection = ActiveConnection & { plan: string | null }
type Reader = Pick<Database, '$queryRawUnsafe'>

const COLUMNS = `c.id, c.tenant_id AS "tenantId", c.type, c.slug, c.enforced,
  c.default_role AS "defaultRole", c.break_glass_user_id AS "breakGlassUserId", c.config,
  c.client_secret AS "clientSecret", ${planOf('c.tenant_id')} AS plan`

export async function findConnection(
  database: Reader,
  id: string,
  defaultPlan: PlanName,
): Promise<ActiveConnection | null> {
  if (!isUuid(id)) return null
  const rows = await database.$queryRawUnsafe<FoundConnection[]>(
    `SELECT ${COLUMNS} FROM sso_connections c WHERE c.id = $1::uuid AND c.status = 'active'`,
    id,
  )
  return rows.find((row) => isAllowed(row, defaultPlan)) ?? null
}

/** A connection by SAML, by its place in our URLs. */
export async function findConnectionBySlug(
  database: Reader,
  { tenantId, slug }: { tenantId: string; slug: string },
  defaultPlan: PlanName,
): Promise<ActiveConnection | null> {
  const rows = await database.$queryRawUnsafe<FoundConnection[]>(
    `SELECT ${COLUMNS} FROM sso_connections c
      WHERE c.tenant_id = $1::uuid AND c.slug = $2 AND c.type = 'saml' AND c.status = 'active'`,
    tenantId,
    slug,
  )
  return rows.find((row) => isAllowed(row, defaultPlan)) ?? null
}

/**
 * The connections that serve a domain: first those of the workspace that has proved it, then, for a
 * domain that the operator trusts, any, the oldest first.
 */
export async function findConnectionsOfDomain(
  database: Reader,
  domain: string,
  { isTrusted, defaultPlan }: { isTrusted: boolean; defaultPlan: PlanName },
): Promise<(ActiveConnection & { proved: boolean })[]> {
  const rows = await database.$queryRawUnsafe<(FoundConnection & { proved: boolean })[]>(
    `SELECT ${COLUMNS}, d.tenant_id IS NOT NULL AS proved
      FROM sso_connections c
      LEFT JOIN sso_domains d ON d.tenant_id = c.tenant_id AND d.domain = $1
        AND d.verified_at IS NOT NULL
      WHERE c.domains @> ARRAY[$1] AND c.status = 'active' AND (d.tenant_id IS NOT NULL OR $2)
      ORDER BY proved DESC, c.id`,
    domain,
    isTrusted,
  )
  return rows.filter((row) => isAllowed(row, defaultPlan))
}

function isAllowed({ type, plan }: FoundConnection, defaultPlan: PlanName): boolean {
  const named = planNamed(plan, defaultPlan)
  return hasFeature(named, 'sso') && (type === 'oidc' || hasFeature(named, 'saml'))
}
