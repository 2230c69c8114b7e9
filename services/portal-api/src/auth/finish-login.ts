/**
 * The end of every way to sign in as a person: by password, second factor, passkey, invitation or
 * identity provider. A new session is made, whatever cookie came with the request, so that nobody
 * signs in with a session that somebody else knows.
 */
import type { LoggedIn } from '@posthorn/contracts/auth'
import { ApiError } from '@posthorn/contracts/errors'
import type { PlanName } from '@posthorn/domain/plans'
import type { SessionCookie } from '@posthorn/http/serve'
import type { Transaction } from '@posthorn/store/prisma'
import { readAccounts } from './accounts.ts'
import { type AuthEvent, recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, signInCookie, startSession } from './start-session.ts'

export interface FinishedLogin {
  userId: string
  /** The workspace to sign in to; without it, the one where the person signed in last. */
  tenantId?: string
  event: AuthEvent['event']
  metadata?: AuthEvent['metadata']
  origin: Origin
}

export interface LoginContext {
  sessionCookie: SessionCookie
  defaultPlan: PlanName
  /** Epoch ms. */
  now(): number
}

export interface SignedIn {
  answer: LoggedIn
  /** The value of `Set-Cookie`. */
  cookie: string
}

/** Throws FORBIDDEN where the person is no active member of the workspace, or of any. */
export async function finishLogin(
  transaction: Transaction,
  { userId, tenantId, event, metadata, origin }: FinishedLogin,
  { sessionCookie, defaultPlan, now }: LoginContext,
): Promise<SignedIn> {
  const accounts = await readAccounts(transaction, userId, defaultPlan)
  const account = accounts.find(({ client }) => tenantId === undefined || client.id === tenantId)
  if (account === undefined) {
    throw new ApiError('FORBIDDEN', 'you are no active member of a workspace; ask an admin of it')
  }
  const { user, client } = account
  await noteLogin(transaction, client.id, userId)
  const session = await startSession(transaction, { tenantId: client.id, userId, ...origin }, now())
  await recordAuthEvent(transaction, {
    event,
    tenantId: client.id,
    userId,
    subject: user.email,
    ...origin,
    ...(metadata === undefined ? {} : { metadata }),
  })
  return { answer: account, cookie: signInCookie(sessionCookie, session.token) }
}

/** So many browsers and scripts may be signed in as one person; the oldest sessions end first. */
const MAX_SESSIONS = 100

async function noteLogin(
  transaction: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await transaction.$executeRaw`
    WITH oldest AS (
      DELETE FROM user_sessions WHERE user_id = ${userId}::uuid AND id IN (
        SELECT id FROM user_sessions WHERE user_id = ${userId}::uuid
        ORDER BY id DESC OFFSET ${MAX_SESSIONS - 1}
      )
    )
    UPDATE memberships SET last_login_at = now()
    WHERE tenant_id = ${tenantId}::uuid AND user_id = ${userId}::uuid`
}
