/**
 * Takes away from a user whose address was never verified whatever lets somebody in. It was set up
 * by whoever signed up with the address; now its owner comes, by an identity provider.
 */
import type { Transaction } from '@posthorn/store/prisma'
import { endSessions } from './start-session.ts'

/** @returns the tenants whose sessions ended: each must be announced by `config.changed` */
export async function evictStranger(transaction: Transaction, userId: string): Promise<string[]> {
  const ofUser = { where: { userId } }
  await transaction.user.update({
    where: { id: userId },
    data: { passwordHash: null, mfaEnabled: false, totpSecret: null, totpActivatedAt: null },
  })
  await transaction.recoveryCode.deleteMany(ofUser)
  await transaction.passkey.deleteMany(ofUser)
  await transaction.oneTimeToken.deleteMany(ofUser)
  await transaction.ssoIdentity.deleteMany(ofUser)
  return await endSessions(transaction, userId)
}
