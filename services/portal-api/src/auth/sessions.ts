/** One's sessions: who is signed in here, where else, and in which workspace. */
import type { Session } from '@posthorn/contracts/auth'
import { type Handlers, reply, type SessionCaller } from '@posthorn/http/handlers'
import type { UserSession } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { readAccounts, toClient } from './accounts.ts'
import { requireUser } from './change-password.ts'
import { finishLogin, type LoginContext } from './finish-login.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf, signOutCookie } from './start-session.ts'

export interface SessionsDeps extends LoginContext {
  database: Database
  announceChange: AnnounceChange
}

type SessionHandlers = Pick<
  Handlers<'portal-api'>,
  'getSession' | 'deleteSession' | 'switchSession' | 'listSessions' | 'revokeSession'
>

export function createSessions(deps: SessionsDeps): SessionHandlers {
  const { database, announceChange, sessionCookie } = deps
  return {
    getSession: ({ caller }) => describeSession(deps, caller),

    async deleteSession(request) {
      const { caller } = request
      await endOne(deps, caller, caller.sessionId, request)
      return reply(undefined, { cookies: [signOutCookie(sessionCookie)] })
    },

    async switchSession(request) {
      const { caller, body } = request
      const { id: userId } = requireUser(caller)
      const tenantId = body.clientId.toLowerCase()
      const { answer, cookie } = await database.$transaction(async (transaction) => {
        const accounts = await readAccounts(transaction, userId, deps.defaultPlan)
        if (!accounts.some(({ client }) => client.id === tenantId)) throw notFound('workspace')
        await transaction.userSession.deleteMany({ where: { id: caller.sessionId } })
        const event = 'session.create'
        const login = { userId, tenantId, event, origin: originOf(request) } as const
        return await finishLogin(transaction, login, deps)
      })
      announceChange(caller.tenantId, 'sessions')
      return reply(answer, { cookies: [cookie] })
    },

    async listSessions({ caller }) {
      const rows = await database.userSession.findMany({
        where: { ...ownedBy(caller), expiresAt: { gt: new Date(deps.now()) } },
        orderBy: { id: 'desc' },
        take: MAX_LISTED,
      })
      const ids = [...new Set(rows.map(({ tenantId }) => tenantId))]
      const tenants = await database.tenant.findMany({ where: { id: { in: ids } } })
      const names = new Map(tenants.map(({ id, name }) => [id, name]))
      return { data: rows.map((row) => toRecord(row, names.get(row.tenantId) ?? '', caller)) }
    },

    async revokeSession(request) {
      const { caller, params } = request
      const isEnded = await endOne(deps, caller, params['id'] ?? '', request)
      if (!isEnded) throw notFound('session')
      return undefined
    },
  }
}

/** As many as a person may have. */
const MAX_LISTED = 100

/** The sessions that a caller may see and end: the person's, or those of the same API key. */
function ownedBy({ user, tenantId, keyId }: SessionCaller) {
  return user === null ? { tenantId, apiKeyId: keyId } : { userId: user.id }
}

/** @returns false: the caller has no such session */
async function endOne(
  { database, announceChange }: Pick<SessionsDeps, 'database' | 'announceChange'>,
  caller: SessionCaller,
  id: string,
  request: Parameters<typeof originOf>[0],
): Promise<boolean> {
  const ended = await database.$transaction(async (transaction) => {
    const session = await transaction.userSession.findFirst({ where: { ...ownedBy(caller), id } })
    if (session === null) return null
    await transaction.userSession.deleteMany({ where: { id } })
    await recordAuthEvent(transaction, {
      event: 'session.revoke',
      tenantId: session.tenantId,
      userId: session.userId,
      subject: caller.user?.email ?? null,
      ...originOf(request),
      metadata: { sessionId: id },
    })
    return session
  })
  if (ended !== null) announceChange(ended.tenantId, 'sessions')
  return ended !== null
}

/** What `GET /auth/session` tells. */
export async function describeSession(
  { database, defaultPlan }: Pick<SessionsDeps, 'database' | 'defaultPlan'>,
  caller: SessionCaller,
): Promise<Session> {
  const { user, tenantId, role, scopes, plan } = caller
  const tenant = await database.tenant.findUniqueOrThrow({ where: { id: tenantId } })
  const accounts = user === null ? [] : await readAccounts(database, user.id, defaultPlan)
  const clients = accounts.map((one) => ({
    id: one.client.id,
    name: one.client.name,
    role: one.role,
  }))
  return {
    user,
    client: toClient(tenant, plan),
    role,
    scopes: [...scopes],
    expiresAt: new Date(caller.expiresAt).toISOString(),
    clients: user === null ? [{ id: tenant.id, name: tenant.name, role }] : clients,
  }
}

function toRecord(row: UserSession, clientName: string, { sessionId }: SessionCaller) {
  return {
    id: row.id,
    client: { id: row.tenantId, name: clientName },
    current: row.id === sessionId,
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
