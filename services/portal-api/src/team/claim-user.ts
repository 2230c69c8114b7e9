/**
 * Gives an account whose address was never proved to the person who has proved it. Whoever made the
 * account may have been somebody else, who waits for the owner to come: all that could let them in
 * again goes.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'
import { endSessions } from '../auth/start-session.ts'

/** @returns the tenants whose sessions ended: each must be announced by `config.changed` */
export async function claimUser(
  transaction: Transaction,
  { id, name, passwordHash }: { id: string; name: string; passwordHash: string },
): Promise<string[]> {
  const claimed = await transaction.$executeRaw`
    UPDATE users SET name = ${name}, password_hash = ${passwordHash}, email_verified_at = now(),
      totp_secret = NULL, totp_activated_at = NULL, totp_last_step = NULL, mfa_enabled = false,
      updated_at = now()
    WHERE id = ${id}::uuid AND email_verified_at IS NULL`
  if (claimed === 0) throw new ApiError('CONFLICT', 'the account has changed: open the link again')
  const userId = id
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  await transaction.passkey.deleteMany({ where: { userId } })
  await transaction.oneTimeToken.deleteMany({ where: { userId } })
  await transaction.ssoIdentity.deleteMany({ where: { userId } })
  return await endSessions(transaction, userId)
}
