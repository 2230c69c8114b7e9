/**
 * A user is one person over the installation, so a workspace's identity provider may change a user
 * only who is a member of that workspace alone, or whose address is of a domain that the workspace
 * has proved.
 */
import { emailDomain } from '@posthorn/contracts/email-address'
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'

export async function hasProvedDomain(
  transaction: Pick<Transaction, 'ssoDomain'>,
  tenantId: string,
  email: string,
): Promise<boolean> {
  const where = { tenantId, domain: emailDomain(email.toLowerCase()), verifiedAt: { not: null } }
  return (await transaction.ssoDomain.count({ where })) > 0
}

export async function requireOwnUser(
  transaction: Pick<Transaction, 'ssoDomain' | 'membership'>,
  tenantId: string,
  user: { id: string; email: string },
): Promise<void> {
  const elsewhere = { userId: user.id, tenantId: { not: tenantId } }
  if ((await transaction.membership.count({ where: elsewhere })) === 0) return
  if (await hasProvedDomain(transaction, tenantId, user.email)) return
  throw new ApiError(
    'CONFLICT',
    'the user is a member of another workspace too: prove the domain of the address first',
  )
}
