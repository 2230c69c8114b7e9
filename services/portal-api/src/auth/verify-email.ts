/** Proves that an address is its user's: by the token of a mail that was sent there. */
import { ApiError } from '@posthorn/contracts/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { answerEvenly } from './answer-evenly.ts'
import type { MailLimits } from './mail-limits.ts'
import { issueToken, takeToken } from './one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf } from './start-session.ts'

export interface VerifyEmailDeps {
  database: Pick<Database, '$transaction'>
  mailLimits: MailLimits
  announceChange: AnnounceChange
  /** Epoch ms. */
  now(): number
}

const HOUR_MS = 3_600_000
/** The link of the mail works for a day. */
const LIFETIME_MS = 24 * HOUR_MS
/** Some times what one mail takes. */
const LEAST_MS = 40

export function createVerifyEmail({
  database,
  mailLimits,
  announceChange,
  now,
}: VerifyEmailDeps): Pick<Handlers<'portal-api'>, 'verifyEmail' | 'resendVerification'> {
  return {
    async verifyEmail(request) {
      const { email, tenantIds } = await database.$transaction(async (transaction) => {
        const token = await takeToken(transaction, 'verify_email', request.body.token)
        if (token === null || token.userId === null) throw invalidToken()
        const { userId } = token
        const user = await transaction.user.findUniqueOrThrow({ where: { id: userId } })
        const emailVerifiedAt = user.emailVerifiedAt ?? new Date(now())
        await transaction.user.update({ where: { id: userId }, data: { emailVerifiedAt } })
        const who = { tenantId: token.tenantId, userId, subject: user.email, ...originOf(request) }
        await recordAuthEvent(transaction, { event: 'email.verify.success', ...who })
        const memberships = await transaction.membership.findMany({ where: { userId } })
        return { email: user.email, tenantIds: memberships.map(({ tenantId }) => tenantId) }
      })
      // What sessions know of the person has changed.
      for (const tenantId of tenantIds) announceChange(tenantId, 'sessions')
      return { email, emailVerified: true }
    },

    async resendVerification(request) {
      const { email } = request.body
      const mayMail = await mailLimits.allow(email, request.clientIp)
      await answerEvenly(LEAST_MS, () =>
        database.$transaction(async (transaction) => {
          const [user] = await transaction.$queryRaw<Unverified[]>`
            SELECT u.id, u.email, (
              SELECT tenant_id FROM memberships WHERE user_id = u.id ORDER BY created_at LIMIT 1
            ) AS "tenantId"
            FROM users u WHERE lower(u.email) = lower(${email}) AND u.email_verified_at IS NULL`
          if (user !== undefined && mayMail) await sendVerification(transaction, user, now())
        }),
      )
      return {}
    },
  }
}

interface Unverified {
  id: string
  email: string
  tenantId: string | null
}

/** Sends the mail; links of before stop working. @param now epoch ms */
export async function sendVerification(
  transaction: Transaction,
  { id, email, tenantId }: Unverified,
  now: number,
): Promise<void> {
  const purpose = 'verify_email'
  await transaction.oneTimeToken.deleteMany({ where: { userId: id, purpose } })
  const where = tenantId === null ? {} : { tenantId }
  const issued = { purpose, userId: id, ...where, lifetimeMs: LIFETIME_MS } as const
  const token = await issueToken(transaction, issued, now)
  const data = { link: `/verify?token=${token}` }
  await enqueueMail(transaction, { to: email, tenantId, kind: 'verify_email', data })
}

/** One answer for tokens that are unknown, used, too old, or for something else. */
export function invalidToken(): ApiError {
  return new ApiError('INVALID_TOKEN', 'the link was used or is too old: ask for a new one')
}
