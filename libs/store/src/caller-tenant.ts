/** SQL of what every credential's look-up reads of its workspace. */
import { STATUSES_IN_FORCE } from '@posthorn/domain/plans'

/** All projects of a tenant as JSON, the default one first. */
export function projectsOf(tenantId: string): string {
  return `(
    SELECT json_agg(
      json_build_object('id', id, 'environment', environment) ORDER BY is_default DESC
    )
    FROM projects WHERE tenant_id = ${tenantId}
  )`
}

const IN_FORCE = `(${STATUSES_IN_FORCE.map((status) => `'${status}'`).join(', ')})`

/**
 * The plan of a tenant's subscription in force; a sub-account has its parent's. The names inside
 * must be none that a caller's statement uses: they would hide its own.
 */
export function planOf(tenantId: string): string {
  return `(
    SELECT paid.plan FROM tenants own
    JOIN subscriptions paid ON paid.tenant_id = COALESCE(own.parent_id, own.id)
    WHERE own.id = ${tenantId} AND paid.status IN ${IN_FORCE}
  )`
}
