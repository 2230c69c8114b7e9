/**
 * Keeps a workspace from losing its last active admin, also when two admins remove each other at
 * the same time: whoever takes the role from one of them locks all of them first, so the second
 * sees what the first has done.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'

/**
 * Locks the memberships of the workspace's active admins until the transaction ends. Whoever locks
 * other memberships too does so after these, or two could wait for each other.
 *
 * @returns the users' ids
 */
export async function lockAdmins(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
): Promise<string[]> {
  const admins = await transaction.$queryRaw<{ id: string }[]>`
    SELECT user_id::text AS id FROM memberships
    WHERE tenant_id = ${tenantId}::uuid AND role = 'admin' AND status = 'active'
    ORDER BY user_id FOR UPDATE`
  return admins.map(({ id }) => id)
}

/** Throws INVALID_STATE where the user is the only one of the admins. */
export function requireAnotherAdmin(admins: readonly string[], userId: string): void {
  if (!admins.includes(userId) || admins.length > 1) return
  const message = 'this is the last active admin of the workspace; make somebody else one first'
  throw new ApiError('INVALID_STATE', message)
}

/** Throws INVALID_STATE where the user is the only active admin, and locks all of them. */
export async function refuseLastAdmin(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
  userId: string,
): Promise<void> {
  requireAnotherAdmin(await lockAdmins(transaction, tenantId), userId)
}
