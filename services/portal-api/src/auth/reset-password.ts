/**
 * Sets a forgotten password anew, with the token of a mail. The token proves the address too. The
 * reset signs nobody in, so that a second factor is asked for as ever.
 */
import { badField } from '@posthorn/http/errors'
import type { Handlers } from '@posthorn/http/handlers'
import { hashSecretToken } from '@posthorn/domain/secret-token'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { answerEvenly } from './answer-evenly.ts'
import type { Lockout } from './lockout.ts'
import type { MailLimits } from './mail-limits.ts'
import { issueToken, takeToken } from './one-time-tokens.ts'
import { passwordProblem } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { setPassword } from './set-password.ts'
import { originOf } from './start-session.ts'
import { invalidToken } from './verify-email.ts'

export interface ResetPasswordDeps {
  database: Database
  passwords: Passwords
  lockout: Pick<Lockout, 'unlock'>
  mailLimits: MailLimits
  announceChange: AnnounceChange
  /** Epoch ms. */
  now(): number
}

const HOUR_MS = 3_600_000
/** Some times what one mail takes. */
const LEAST_MS = 40

type ResetHandlers = Pick<Handlers<'portal-api'>, 'forgotPassword' | 'resetPassword'>

export function createResetPassword(deps: ResetPasswordDeps): ResetHandlers {
  const { database, passwords, lockout, mailLimits, announceChange, now } = deps
  return {
    async forgotPassword(request) {
      const { email } = request.body
      const mayMail = await mailLimits.allow(email, request.clientIp)
      await answerEvenly(LEAST_MS, () =>
        database.$transaction(async (transaction) => {
          const user = await findOwner(transaction, email)
          const who = { tenantId: user?.tenantId ?? null, userId: user?.id ?? null }
          const subject = user?.email ?? email
          const event = 'password.reset.request'
          await recordAuthEvent(transaction, { event, ...who, subject, ...originOf(request) })
          if (user !== undefined && mayMail) await sendReset(transaction, user, now())
        }),
      )
      return {}
    },

    async resetPassword(request) {
      const { token, newPassword } = request.body
      const owner = await findTokenOwner(database, token)
      if (owner === undefined) throw invalidToken()
      const names = [owner.name ?? '', ...owner.clientNames]
      const problem = passwordProblem(newPassword, { email: owner.email, names })
      if (problem !== null) throw badField('newPassword', problem)
      // It may wait for its turn, which no transaction should.
      const newHash = await passwords.hash(newPassword)
      const ended = await database.$transaction(async (transaction) => {
        const taken = await takeToken(transaction, 'reset_password', token)
        if (taken === null || taken.userId === null) throw invalidToken()
        const user = await transaction.user.findUniqueOrThrow({ where: { id: taken.userId } })
        const emailVerifiedAt = user.emailVerifiedAt ?? new Date(now())
        await transaction.user.update({ where: { id: user.id }, data: { emailVerifiedAt } })
        const { tenantId } = taken
        const event = 'password.reset.success'
        const change = { user, tenantId, newHash, event, origin: originOf(request) } as const
        return await setPassword(transaction, change)
      })
      if (ended === null) throw invalidToken()
      for (const tenantId of ended) announceChange(tenantId, 'sessions')
      await lockout.unlock(owner.email)
      return {}
    },
  }
}

interface Owner {
  id: string
  email: string
  tenantId: string | null
}

async function findOwner(transaction: Transaction, email: string): Promise<Owner | undefined> {
  const [user] = await transaction.$queryRaw<Owner[]>`
    SELECT u.id, u.email, (
      SELECT tenant_id FROM memberships WHERE user_id = u.id
      ORDER BY last_login_at DESC NULLS LAST, created_at LIMIT 1
    ) AS "tenantId"
    FROM users u WHERE lower(u.email) = lower(${email})`
  return user
}

/** Links of before stop working. */
async function sendReset(
  transaction: Transaction,
  { id: userId, email, tenantId }: Owner,
  now: number,
): Promise<void> {
  const purpose = 'reset_password'
  await transaction.oneTimeToken.deleteMany({ where: { userId, purpose } })
  const where = tenantId === null ? {} : { tenantId }
  const token = await issueToken(
    transaction,
    { purpose, userId, ...where, lifetimeMs: HOUR_MS },
    now,
  )
  const data = { link: `/reset?token=${token}` }
  await enqueueMail(transaction, { to: email, tenantId, kind: 'reset_password', data })
}

interface TokenOwner {
  email: string
  name: string | null
  clientNames: string[]
}

/** A look at a token's owner that does not take the token. */
async function findTokenOwner(
  database: Pick<Database, '$queryRaw'>,
  token: string,
): Promise<TokenOwner | undefined> {
  const [owner] = await database.$queryRaw<TokenOwner[]>`
    SELECT u.email, u.name, array(
      SELECT t.name FROM memberships m JOIN tenants t ON t.id = m.tenant_id
      WHERE m.user_id = u.id
    ) AS "clientNames"
    FROM one_time_tokens o JOIN users u ON u.id = o.user_id
    WHERE o.token_hash = ${hashSecretToken(token)} AND o.purpose = 'reset_password'
      AND o.expires_at > now()`
  return owner
}
