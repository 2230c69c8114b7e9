/**
 * Whether a connection may be enforced: it has domains, all of them proved, and one admin who can
 * still come in by password when the identity provider does not work.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { SsoConnection as Row } from '@posthorn/store/generated/client'
import type { Transaction } from '@posthorn/store/prisma'

export async function requireEnforceable(
  transaction: Pick<Transaction, 'ssoDomain' | 'membership'>,
  row: Row,
  trustedDomains: readonly string[],
): Promise<void> {
  const { tenantId, domains, breakGlassUserId: userId } = row
  if (userId !== null) {
    const admin = await transaction.membership.count({
      where: { tenantId, userId, role: 'admin', status: 'active' },
    })
    if (admin === 0) throw refused('breakGlassUserId must be an active admin of the workspace')
  }
  if (!row.enforced) return
  if (userId === null) throw refused('an enforced connection needs a breakGlassUserId')
  if (domains.length === 0) throw refused('an enforced connection needs domains')
  const proved = await transaction.ssoDomain.findMany({
    where: { tenantId, domain: { in: domains }, verifiedAt: { not: null } },
  })
  const known = new Set([...trustedDomains, ...proved.map(({ domain }) => domain)])
  const missing = domains.filter((domain) => !known.has(domain))
  if (missing.length > 0) throw refused(`verify these domains first: ${missing.join(', ')}`)
}

function refused(message: string): ApiError {
  return new ApiError('INVALID_STATE', message)
}
