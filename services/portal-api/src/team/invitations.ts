/** Invitations as the person who holds the link of one sees them. */
import { ApiError } from '@posthorn/contracts/errors'
import type { InviteStatus } from '@posthorn/contracts/team'
import type { Role } from '@posthorn/domain/roles'
import { hashSecretToken, hasSecretTokenForm } from '@posthorn/domain/secret-token'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database, Transaction } from '@posthorn/store/prisma'

export interface HeldInvitation {
  id: string
  tenantId: string
  clientName: string
  email: string
  role: Role
  status: InviteStatus['status']
}

/** @returns null: nobody was invited with this token, or a newer one was sent */
export async function findInvitation(
  database: Pick<Database, '$queryRaw'>,
  token: string,
): Promise<HeldInvitation | null> {
  if (!hasSecretTokenForm(token)) return null
  const rows = await database.$queryRaw<HeldInvitation[]>`
    SELECT i.id, i.tenant_id AS "tenantId", t.name AS "clientName", i.email, i.role,
      CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted'
        WHEN i.revoked_at IS NOT NULL THEN 'revoked'
        WHEN i.expires_at <= now() THEN 'expired' ELSE 'pending' END AS status
    FROM invitations i JOIN tenants t ON t.id = i.tenant_id
    WHERE i.token_hash = ${hashSecretToken(token)}`
  return rows[0] ?? null
}

/**
 * Takes an invitation that is pending, in the transaction that makes the member. @returns the role;
 * null: it was accepted, revoked or sent anew meanwhile
 */
export async function takeInvitation(
  transaction: Pick<Transaction, '$queryRaw'>,
  token: string,
): Promise<Role | null> {
  const rows = await transaction.$queryRaw<{ role: Role }[]>`
    UPDATE invitations SET accepted_at = now()
    WHERE token_hash = ${hashSecretToken(token)} AND accepted_at IS NULL AND revoked_at IS NULL
      AND expires_at > now()
    RETURNING role`
  return rows[0]?.role ?? null
}

export function invalidInvitation(): ApiError {
  const message = 'the invitation is unknown, was used, was revoked, or is too old: ask for another'
  return new ApiError('INVALID_TOKEN', message)
}

export interface InvitedUser {
  id: string
  email: string
  passwordHash: string | null
  isVerified: boolean
  mfaEnabled: boolean
}

export async function findInvitedUser(
  database: Pick<Database, '$queryRaw'>,
  email: string,
): Promise<InvitedUser | null> {
  const rows = await database.$queryRaw<InvitedUser[]>`
    SELECT id, email, password_hash AS "passwordHash", mfa_enabled AS "mfaEnabled",
      email_verified_at IS NOT NULL AS "isVerified"
    FROM users WHERE lower(email) = lower(${email})`
  return rows[0] ?? null
}

export function createInviteStatus({
  database,
}: {
  database: Pick<Database, '$queryRaw'>
}): Handlers<'portal-api'>['inviteStatus'] {
  return async ({ query }) => {
    const invitation = await findInvitation(database, query.token)
    if (invitation === null) throw invalidInvitation()
    const { email, clientName, role, status } = invitation
    const user = await findInvitedUser(database, email)
    return { email, clientName, role, status, existingUser: user?.isVerified === true }
  }
}
