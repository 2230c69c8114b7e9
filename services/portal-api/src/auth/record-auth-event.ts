/**
 * Writes down who signed in, how, and what went wrong, in the transaction of what happened: the
 * rows that `GET /api/v1/auth-audit` shows.
 */
import { newId } from '@posthorn/domain/ids'
import type { Transaction } from '@posthorn/store/prisma'
import type { Origin } from './start-session.ts'

/** `family.step.result`. */
export type AuthEventName =
  | 'signup.success'
  | 'email.verify.success'
  | 'password.login.success'
  | 'password.login.fail'
  | 'password.login.locked'
  | 'password.reset.request'
  | 'password.reset.success'
  | 'password.change.success'
  | 'mfa.enroll.success'
  | 'mfa.disable.success'
  | 'mfa.verify.success'
  | 'mfa.verify.fail'
  | 'mfa.recovery.success'
  | 'mfa.recovery.fail'
  | 'passkey.register.success'
  | 'passkey.remove.success'
  | 'passkey.login.success'
  | 'passkey.login.fail'
  | 'invite.accept.success'
  | 'sso.login.success'
  | 'sso.login.fail'
  | 'sso.login.jit'
  | 'scim.user.create'
  | 'scim.user.update'
  | 'scim.user.deactivate'
  | 'session.create'
  | 'session.revoke'

export interface AuthEvent extends Origin {
  event: AuthEventName
  /** null: nobody can tell the workspace. */
  tenantId: string | null
  userId: string | null
  /** An e-mail address, or the subject at an identity provider. */
  subject: string | null
  /** No secrets: admins read it. */
  metadata?: Record<string, string | number | boolean | null>
}

const MAX_SUBJECT_CHARACTERS = 320

export async function recordAuthEvent(
  transaction: Pick<Transaction, '$executeRaw'>,
  { event, tenantId, userId, subject, ip, userAgent, metadata = {} }: AuthEvent,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO auth_audit_logs (id, tenant_id, event, user_id, subject, ip, user_agent, metadata)
    VALUES (${newId()}::uuid, ${tenantId}::uuid, ${event}, ${userId}::uuid,
      ${subject?.slice(0, MAX_SUBJECT_CHARACTERS) ?? null}, ${ip}, ${userAgent},
      ${JSON.stringify(metadata)}::jsonb)`
}
