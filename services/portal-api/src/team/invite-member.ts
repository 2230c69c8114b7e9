/**
 * Invites somebody to a workspace. The answer and the mail are the same whether or not the address
 * has an account. Inviting an address again sends a new link, and the one of before is void.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { actorOf, type Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { MailLimits } from '../auth/mail-limits.ts'
import { checkCount } from '../check-count.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { readTeamMember, toTeamMember } from './team-record.ts'

export interface InviteMemberDeps {
  database: Pick<Database, '$transaction'>
  mailLimits: MailLimits
}

const INVITATION_DAYS = 7
/** Invitations that nobody has accepted. */
const MAX_OPEN = 500

export function createInviteMember({
  database,
  mailLimits,
}: InviteMemberDeps): Handlers<'portal-api'>['inviteMember'] {
  return async ({ caller, body, clientIp, audit }) => {
    const { tenantId } = caller
    const { email, role } = body
    if (!(await mailLimits.allow(email, clientIp))) {
      const message = `too many mails were sent to ${email}; try again in an hour`
      throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: 3_600 })
    }
    const token = newSecretToken()
    return await database.$transaction(async (transaction) => {
      await refuseMember(transaction, tenantId, email)
      const [invitation] = await transaction.$queryRaw<{ id: string }[]>`
        INSERT INTO invitations (tenant_id, id, email, role, token_hash, invited_by, expires_at)
        VALUES (${tenantId}::uuid, ${newId()}::uuid, ${email}, ${role}, ${hashSecretToken(token)},
          ${actorOf(caller)}, now() + make_interval(days => ${INVITATION_DAYS}::int))
        ON CONFLICT (tenant_id, lower(email)) WHERE accepted_at IS NULL AND revoked_at IS NULL
        DO UPDATE SET role = EXCLUDED.role, token_hash = EXCLUDED.token_hash,
          invited_by = EXCLUDED.invited_by, expires_at = EXCLUDED.expires_at
        RETURNING id`
      const { id } = invitation as { id: string }
      await recordAudit(transaction, audit, { resourceId: id, metadata: { email, role } })
      const where = { tenantId, acceptedAt: null, revokedAt: null }
      await checkCount(transaction, tenantId, {
        name: 'open invitations',
        max: MAX_OPEN,
        count: () => transaction.invitation.count({ where }),
      })
      const tenant = await transaction.tenant.findUniqueOrThrow({ where: { id: tenantId } })
      const inviter = caller.user?.name ?? caller.user?.email
      const data = {
        link: `/invite?token=${token}`,
        workspace: tenant.name,
        role,
        ...(inviter === undefined ? {} : { inviter }),
      }
      await enqueueMail(transaction, { to: email, tenantId, kind: 'invite', data })
      const row = await readTeamMember(transaction, tenantId, id)
      if (row === undefined) throw new ApiError('CONFLICT', 'the invitation was just revoked')
      return toTeamMember(row)
    })
  }
}

async function refuseMember(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
  email: string,
): Promise<void> {
  const members = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id
    WHERE lower(u.email) = lower(${email}) AND m.tenant_id = ${tenantId}::uuid`
  if (members.length > 0) throw new ApiError('CONFLICT', `${email} is a member already`)
}
