/**
 * Sessions without a person: made from an API key, or from the link that a start of the service
 * prints, which stands for the oldest key that may do everything. They have the key's scopes and
 * end with it.
 */
import type { Session } from '@posthorn/contracts/auth'
import type { Authenticate } from '@posthorn/http/authenticate'
import { badField } from '@posthorn/http/errors'
import { type Caller, type Handlers, type Reply, reply } from '@posthorn/http/handlers'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { LoginContext } from './finish-login.ts'
import { issueToken, takeToken } from './one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { describeSession } from './sessions.ts'
import { type Origin, originOf, signInCookie, startSession } from './start-session.ts'
import { invalidToken } from './verify-email.ts'

export interface SessionFromKeyDeps extends LoginContext {
  database: Database
  authenticate: Pick<Authenticate, 'member'>
}

type FromKeyHandlers = Pick<Handlers<'portal-api'>, 'createSession' | 'createSessionFromLink'>

export function createSessionFromKey(deps: SessionFromKeyDeps): FromKeyHandlers {
  const { database, authenticate, sessionCookie, now } = deps

  async function signIn(
    transaction: Transaction,
    { tenantId, apiKeyId }: { tenantId: string; apiKeyId: string },
    origin: Origin,
  ): Promise<string> {
    const session = await startSession(transaction, { tenantId, apiKeyId, ...origin }, now())
    await recordAuthEvent(transaction, {
      event: 'session.create',
      tenantId,
      userId: null,
      subject: `api-key:${apiKeyId}`,
      ...origin,
    })
    return session.token
  }

  /** The session as its first request would find it. */
  async function answer(token: string): Promise<Reply<Session>> {
    const cookie = `${sessionCookie.name}=${token}`
    const found = await authenticate.member({ headers: { cookie } })
    const caller = await found.caller()
    if (!isSession(caller)) throw new Error('a session that was just made is none')
    const session = await describeSession(deps, caller)
    return reply(session, { cookies: [signInCookie(sessionCookie, token)] })
  }

  return {
    async createSession(request) {
      const key = request.body.apiKey ?? request.header('x-api-key')
      if (key === undefined || key === '') {
        throw badField('apiKey', 'is missing, and so is the header X-API-Key')
      }
      const found = await authenticate.member({ headers: { 'x-api-key': key } })
      const { tenantId, keyId } = await found.caller()
      const origin = originOf(request)
      const token = await database.$transaction((transaction) =>
        signIn(transaction, { tenantId, apiKeyId: keyId as string }, origin),
      )
      return await answer(token)
    },

    async createSessionFromLink(request) {
      const origin = originOf(request)
      const token = await database.$transaction(async (transaction) => {
        const taken = await takeToken(transaction, 'sign_in_link', request.body.token)
        const { tenantId = null, data = {} } = taken ?? {}
        const { apiKeyId } = data
        if (tenantId === null || typeof apiKeyId !== 'string') throw invalidToken()
        return await signIn(transaction, { tenantId, apiKeyId }, origin)
      })
      return await answer(token)
    },
  }
}

function isSession(caller: Caller): caller is Caller & { sessionId: string; expiresAt: number } {
  return caller.sessionId !== null && 'expiresAt' in caller
}

const HOUR_MS = 3_600_000

/**
 * Makes the token of the link for whoever starts the service, who can read its database anyway.
 *
 * @param now epoch ms
 * @returns null: no key may do everything
 */
export async function issueSignInLink(database: Database, now: number): Promise<string | null> {
  const [key] = await database.$queryRaw<{ tenantId: string; apiKeyId: string }[]>`
    SELECT k.tenant_id AS "tenantId", k.id AS "apiKeyId"
    FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
    WHERE '*' = ANY(k.scopes) AND k.project_id IS NULL AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())
    ORDER BY t.created_at, t.id, k.created_at, k.id LIMIT 1`
  if (key === undefined) return null
  const { tenantId, apiKeyId } = key
  const issued = {
    purpose: 'sign_in_link',
    tenantId,
    data: { apiKeyId },
    lifetimeMs: HOUR_MS,
  } as const
  return await issueToken(database, issued, now)
}
