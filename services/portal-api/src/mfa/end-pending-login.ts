/**
 * Ends a login whose password was right and whose second factor is awaited. The pending login is
 * taken in the transaction that checks the factor: a wrong one is rolled back with it, so that it
 * can be tried again, until the lockout refuses more guesses. Of two right ones at once, one makes
 * a session.
 */
import type { LoggedIn } from '@posthorn/contracts/auth'
import { ApiError } from '@posthorn/contracts/errors'
import { hashSecretToken, hasSecretTokenForm } from '@posthorn/domain/secret-token'
import { type Reply, reply } from '@posthorn/http/handlers'
import type { User } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { finishLogin, type LoginContext } from '../auth/finish-login.ts'
import type { Lockout } from '../auth/lockout.ts'
import { clearMfaCookie, mfaCookieName } from '../auth/mfa-login.ts'
import { takeToken } from '../auth/one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf } from '../auth/start-session.ts'

export interface PendingLogin {
  /** The value of the cookie that keeps it. */
  token: string
  userId: string
  email: string
  tenantId: string | null
}

/** What `endPendingLogin` reads of a request. */
export interface MfaRequest {
  clientIp: string
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

export interface EndPendingLoginDeps extends LoginContext {
  database: Database
  lockout: Lockout
}

export type Factor = 'totp' | 'recovery' | 'passkey'

/** Resolves with false where the factor is wrong. What it writes is undone then. */
type CheckFactor = (transaction: Transaction, user: User) => Promise<boolean>

export type EndPendingLogin = (
  request: MfaRequest,
  factor: Factor,
  check: CheckFactor,
) => Promise<Reply<LoggedIn>>

export function createEndPendingLogin(
  { brand }: { brand: string },
  deps: EndPendingLoginDeps,
): EndPendingLogin {
  const { database, lockout, sessionCookie } = deps
  return async (request, factor, check) => {
    const origin = originOf(request)
    const pending = await readPendingLogin(database, request.cookie(mfaCookieName(brand)))
    if (pending === null) throw noPendingLogin()
    const { userId, email } = pending
    await lockout.guess(email, request.clientIp)
    const family = factor === 'recovery' ? 'mfa.recovery' : 'mfa.verify'
    const metadata = { factor }
    const wrong = wrongFactor()
    const finished = await database
      .$transaction(async (transaction) => {
        const login = await takeToken(transaction, 'mfa_login', pending.token)
        if (login === null) throw noPendingLogin()
        const user = await transaction.user.findUniqueOrThrow({ where: { id: userId } })
        if (!(await check(transaction, user))) throw wrong
        const where = login.tenantId === null ? {} : { tenantId: login.tenantId }
        const event = `${family}.success` as const
        return await finishLogin(transaction, { userId, ...where, event, metadata, origin }, deps)
      })
      .catch(async (error: unknown) => {
        if (error === wrong) {
          const { tenantId } = pending
          const who = { tenantId, userId, subject: email, ...origin }
          await recordAuthEvent(database, { event: `${family}.fail`, ...who, metadata })
        }
        throw error
      })
    await lockout.succeed(email, request.clientIp)
    const cookies = [finished.cookie, clearMfaCookie(brand, sessionCookie)]
    return reply(finished.answer, { cookies })
  }
}

/** @param token the value of the cookie */
export async function readPendingLogin(
  database: Pick<Database, '$queryRaw'>,
  token: string | undefined,
): Promise<PendingLogin | null> {
  if (token === undefined || !hasSecretTokenForm(token)) return null
  const [found] = await database.$queryRaw<Omit<PendingLogin, 'token'>[]>`
    SELECT u.id AS "userId", u.email, COALESCE(t.tenant_id, (
      SELECT m.tenant_id FROM memberships m WHERE m.user_id = u.id
      ORDER BY m.last_login_at DESC NULLS LAST, m.created_at LIMIT 1
    )) AS "tenantId"
    FROM one_time_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${hashSecretToken(token)} AND t.purpose = 'mfa_login'
      AND t.expires_at > now()`
  return found === undefined ? null : { ...found, token }
}

function noPendingLogin(): ApiError {
  return new ApiError('UNAUTHORIZED', 'no login waits for a second factor: sign in again')
}

/** Undoes the transaction that throws it. */
function wrongFactor(): ApiError {
  return new ApiError('UNAUTHORIZED', 'the second factor is wrong, too old, or was used before')
}
