/**
 * Writes a new password: in the transaction of a reset or a change, with all that follows. Whoever
 * knew the old one is out: other sessions end, and so do logins and resets that are under way.
 */
import type { Transaction } from '@posthorn/store/prisma'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { TokenPurpose } from './one-time-tokens.ts'
import { type AuthEvent, recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { endSessions, type Origin } from './start-session.ts'

export interface NewPassword {
  user: { id: string; email: string; passwordHash: string | null }
  tenantId: string | null
  newHash: string
  event: AuthEvent['event']
  origin: Origin
  /** The session that goes on. */
  exceptId?: string
}

const ENDED: readonly TokenPurpose[] = ['reset_password', 'mfa_login', 'passkey_login']

/**
 * @returns the tenants whose sessions ended; null: the password was changed meanwhile, and nothing
 *   was written
 */
export async function setPassword(
  transaction: Transaction,
  { user, tenantId, newHash, event, origin, exceptId }: NewPassword,
): Promise<string[] | null> {
  const { id: userId, email, passwordHash } = user
  const changed = await transaction.$executeRaw`
    UPDATE users SET password_hash = ${newHash}, updated_at = now()
    WHERE id = ${userId}::uuid AND password_hash IS NOT DISTINCT FROM ${passwordHash}`
  if (changed === 0) return null
  await transaction.oneTimeToken.deleteMany({ where: { userId, purpose: { in: [...ENDED] } } })
  const ended = await endSessions(transaction, userId, exceptId === undefined ? {} : { exceptId })
  await enqueueMail(transaction, { to: email, tenantId, kind: 'password_changed', data: {} })
  await recordAuthEvent(transaction, { event, tenantId, userId, subject: email, ...origin })
  return ended
}
