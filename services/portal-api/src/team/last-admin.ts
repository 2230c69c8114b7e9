/**
 * Keeps a workspace from losing its last active admin, also when two admins remove each other at
 * the same time: whoever takes the role from one of them locks all of them first, so the second
 * sees what the first has done.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'

/**
 * Throws INVALID_STATE where the user is the only active admin. Until the transaction ends nobody
 * else stops being one.
 */
export async function refuseLastAdmin(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
  userId: string,
): Promise<void> {
  const admins = await transaction.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM memberships
    WHERE tenant_id = ${tenantId}::uuid AND role = 'admin' AND status = 'active'
    ORDER BY user_id FOR UPDATE`
  const isAdmin = admins.some((admin) => admin.userId === userId)
  if (!isAdmin || admins.length > 1) return
  const message = 'this is the last active admin of the workspace; make somebody else one first'
  throw new ApiError('INVALID_STATE', message)
}
