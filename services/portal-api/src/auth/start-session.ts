/**
 * Starts and ends sessions. A session's token is made here and goes into a cookie; the row keeps
 * its SHA-256 alone. A session that was ended is refused within two seconds on every instance, and
 * at once on this one when the change is announced.
 */
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { newId } from '@posthorn/domain/ids'
import { clearCookie, setCookie } from '@posthorn/http/cookies'
import { SESSION_MS } from '@posthorn/http/session-credentials'
import type { SessionCookie } from '@posthorn/http/serve'
import type { Transaction } from '@posthorn/store/prisma'

/** Where a request came from, as sessions and sign-ins keep it. */
export interface Origin {
  ip: string
  userAgent: string | null
}

export type NewSession = Origin & { tenantId: string } & (
    | { userId: string; apiKeyId?: undefined }
    | { apiKeyId: string; userId?: undefined }
  )

export interface StartedSession {
  id: string
  token: string
  /** Epoch ms. */
  expiresAt: number
}

const MAX_USER_AGENT_CHARACTERS = 400

/** What a request tells about its origin. */
export function originOf(request: {
  clientIp: string
  header(name: string): string | undefined
}): Origin {
  const userAgent = request.header('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null
  return { ip: request.clientIp, userAgent }
}

/** @param now epoch ms */
export async function startSession(
  transaction: Pick<Transaction, 'userSession'>,
  { tenantId, userId, apiKeyId, ip, userAgent }: NewSession,
  now: number,
): Promise<StartedSession> {
  const [id, token, expiresAt] = [newId(), newSecretToken(), now + SESSION_MS]
  await transaction.userSession.create({
    data: {
      id,
      tokenHash: hashSecretToken(token),
      tenantId,
      userId: userId ?? null,
      apiKeyId: apiKeyId ?? null,
      ip,
      userAgent,
      expiresAt: new Date(expiresAt),
    },
  })
  return { id, token, expiresAt }
}

/** The value of `Set-Cookie` that signs a browser in. */
export function signInCookie({ name, secure }: SessionCookie, token: string): string {
  return setCookie(name, token, { maxAgeSeconds: SESSION_MS / 1_000, secure })
}

export function signOutCookie({ name, secure }: SessionCookie): string {
  return clearCookie(name, { secure })
}

/**
 * Ends sessions of a user.
 *
 * @param where `tenantId`: only those in this workspace; `exceptId`: this one goes on
 * @returns the tenants whose sessions ended: each must be announced by `config.changed`
 */
export async function endSessions(
  transaction: Pick<Transaction, 'userSession'>,
  userId: string,
  where: { tenantId?: string; exceptId?: string } = {},
): Promise<string[]> {
  const { tenantId, exceptId } = where
  const matching = {
    userId,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(exceptId === undefined ? {} : { id: { not: exceptId } }),
  }
  const ended = await transaction.userSession.findMany({
    where: matching,
    select: { id: true, tenantId: true },
  })
  await transaction.userSession.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } })
  return [...new Set(ended.map((session) => session.tenantId))]
}
