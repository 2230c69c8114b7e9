/** Ends what lets a member in: their sessions in the workspace, and the keys that they made. */
import type { Transaction } from '@posthorn/store/prisma'
import { endSessions } from '../auth/start-session.ts'

/** @param now epoch ms */
export async function endAccess(
  transaction: Pick<Transaction, 'userSession' | 'apiKey'>,
  { tenantId, userId }: { tenantId: string; userId: string },
  now: number,
): Promise<void> {
  await endSessions(transaction, userId, { tenantId })
  await transaction.apiKey.updateMany({
    where: { tenantId, createdBy: `user:${userId}`, revokedAt: null },
    data: { revokedAt: new Date(now) },
  })
}
