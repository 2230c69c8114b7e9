/**
 * Signs in by e-mail address and password. Whoever tries learns nothing about an address that has
 * no account: unknown addresses are locked, recorded and answered like known ones, in the same
 * time.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { type Handlers, reply } from '@posthorn/http/handlers'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { finishLogin, type LoginContext } from './finish-login.ts'
import type { Lockout } from './lockout.ts'
import { clearMfaCookie, MFA_LOGIN_MS, mfaCookie, mfaCookieName } from './mfa-login.ts'
import { issueToken } from './one-time-tokens.ts'
import type { Passwords } from './passwords.ts'
import { type AuthEvent, recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from './start-session.ts'
import type { SsoRequiredFor } from '../sso/sso-required.ts'

export interface LogInDeps extends LoginContext {
  database: Pick<Database, '$transaction' | '$queryRaw' | '$executeRawUnsafe'>
  passwords: Passwords
  lockout: Lockout
  /** Whether the company of an address signs in by its own identity provider. */
  ssoRequiredFor: SsoRequiredFor
}

interface Candidate {
  id: string
  email: string
  passwordHash: string | null
  mfaEnabled: boolean
  /** Where failures are recorded: the workspace of the last login. */
  tenantId: string | null
}

export function createLogIn(
  { brand }: { brand: string },
  deps: LogInDeps,
): Pick<Handlers<'portal-api'>, 'logIn'> {
  const { database, passwords, lockout, sessionCookie } = deps

  async function record(
    event: AuthEvent['event'],
    email: string,
    user: Candidate | undefined,
    origin: Origin,
    metadata: NonNullable<AuthEvent['metadata']> = {},
  ): Promise<void> {
    const who = { tenantId: user?.tenantId ?? null, userId: user?.id ?? null }
    const subject = user?.email ?? email
    await recordAuthEvent(database, { event, ...who, subject, ...origin, metadata })
  }

  /** A guess that no thread had time for, or that met a store that was away, is none. */
  async function check(email: string, clientIp: string, password: string) {
    try {
      const user = await findCandidate(database, email)
      return { user, ...(await passwords.verify(user?.passwordHash ?? null, password)) }
    } catch (error) {
      await lockout.withdraw(email, clientIp)
      throw error
    }
  }

  return {
    async logIn(request) {
      const { email, password } = request.body
      const origin = originOf(request)
      const { isLast } = await lockout.guess(email, request.clientIp)
      const { user, matches, isOutdated } = await check(email, request.clientIp, password)
      if (user === undefined || !matches) {
        await record('password.login.fail', email, user, origin)
        if (isLast) await record('password.login.locked', email, user, origin)
        throw wrong()
      }
      if (await deps.ssoRequiredFor(user.email)) {
        await record('password.login.fail', email, user, origin, { reason: 'sso_required' })
        throw ssoRequired()
      }
      const newHash = isOutdated ? await passwords.hash(password) : null
      const result = await database.$transaction(async (transaction) => {
        await confirmPassword(transaction, user, newHash)
        if (user.mfaEnabled) {
          const pending = {
            purpose: 'mfa_login',
            userId: user.id,
            lifetimeMs: MFA_LOGIN_MS,
          } as const
          const token = await issueToken(transaction, pending, deps.now())
          const cookie = mfaCookie(brand, sessionCookie, token)
          return { isDone: false, answer: { mfaRequired: true as const }, cookie }
        }
        const login = { userId: user.id, event: 'password.login.success', origin } as const
        return { isDone: true, ...(await finishLogin(transaction, login, deps)) }
      })
      const cookies = [result.cookie]
      if (result.isDone) {
        // Guesses at a second factor count too: only a login that is complete clears them.
        await lockout.succeed(email, request.clientIp)
        if (request.cookie(mfaCookieName(brand)) !== undefined)
          cookies.push(clearMfaCookie(brand, sessionCookie))
      }
      return reply(result.answer, { cookies })
    },
  }
}

async function findCandidate(
  database: Pick<Database, '$queryRaw'>,
  email: string,
): Promise<Candidate | undefined> {
  const [user] = await database.$queryRaw<Candidate[]>`
    SELECT u.id, u.email, u.password_hash AS "passwordHash", u.mfa_enabled AS "mfaEnabled", (
      SELECT tenant_id FROM memberships WHERE user_id = u.id
      ORDER BY last_login_at DESC NULLS LAST, created_at LIMIT 1
    ) AS "tenantId"
    FROM users u WHERE lower(u.email) = lower(${email})`
  return user
}

/**
 * The password that was verified must still be the one: a reset that came meanwhile has ended all
 * sessions, and this login must not add one behind it. Another reset waits for this transaction.
 */
async function confirmPassword(
  transaction: Transaction,
  { id, passwordHash }: Candidate,
  newHash: string | null,
): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id}::uuid AND password_hash = ${passwordHash} FOR UPDATE`
  if (rows.length === 0) throw wrong()
  if (newHash === null) return
  await transaction.user.update({ where: { id }, data: { passwordHash: newHash } })
}

function wrong(): ApiError {
  return new ApiError('UNAUTHORIZED', 'the e-mail address or the password is wrong')
}

function ssoRequired(): ApiError {
  const message = "your company signs in by its own identity provider: use 'Single sign-on'"
  return new ApiError('SSO_REQUIRED', message)
}
