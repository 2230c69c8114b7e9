/**
 * Whether somebody must sign in by their company's identity provider. A connection speaks for a
 * domain only where its workspace has proved the domain, or for its own members. One member may be
 * named who can sign in by a password when the provider is down.
 */
import { Prisma } from '@posthorn/store/generated/client'
import type { Transaction } from '@posthorn/store/prisma'

/** SQL about a row `u` of `users`. */
const REQUIRES_SSO = Prisma.raw(`EXISTS (
  SELECT 1 FROM sso_connections c
  WHERE c.enforced AND c.status = 'active'
    AND split_part(lower(u.email), '@', 2) = ANY(c.domains)
    AND c.break_glass_user_id IS DISTINCT FROM u.id
    AND (EXISTS (
      SELECT 1 FROM sso_domains d
      WHERE d.tenant_id = c.tenant_id AND d.verified_at IS NOT NULL
        AND d.domain = split_part(lower(u.email), '@', 2)
    ) OR EXISTS (
      SELECT 1 FROM memberships m WHERE m.tenant_id = c.tenant_id AND m.user_id = u.id
    ))
)`)

/** For somebody who may have no row in `users` yet. */
export async function requiresSso(
  transaction: Pick<Transaction, '$queryRaw'>,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM (SELECT ${id}::uuid AS id, ${email}::text AS email) u WHERE ${REQUIRES_SSO}`
  return rows.length > 0
}
