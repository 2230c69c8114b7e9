/**
 * Exchanges the token of a link to the portal for the session's cookie, once: whoever comes second,
 * or at the same time, is told so. And shows the portal the session that it has.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { PortalSession } from '@posthorn/contracts/portal'
import { type PlanName, planNamed } from '@posthorn/domain/plans'
import type { PortalCapability } from '@posthorn/domain/portal-capabilities'
import { requireFeature } from '@posthorn/http/decide-access'
import { type Handlers, reply } from '@posthorn/http/handlers'
import {
  type FoundPortalSession,
  type PortalSessions,
  SESSION_RATE,
  sessionExpired,
} from '@posthorn/http/portal-sessions'
import type { PortalClaims } from '@posthorn/http/portal-tokens'
import type { RateLimitDeps } from '@posthorn/http/rate-limit'
import type { Pool } from '@posthorn/store/pool'
import type { Database } from '@posthorn/store/prisma'
import { consumeSubAccountSession } from '@posthorn/store/sub-account-sessions'

export interface ExchangeTokenDeps extends Pick<RateLimitDeps, 'takeToken'> {
  portal: PortalSessions
  pool: Pool
  database: Pick<Database, 'subAccountSettings'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SessionHandlers = Pick<Handlers<'portal-api'>, 'exchangeSubAccountToken' | 'getPortalSession'>

/**
 * The browser keeps the cookie a little longer than the session can last, so that its end is told
 * with the way back instead of as a missing session.
 */
const KEEP_COOKIE_MS = 3_600_000

export function createPortalSession(
  { defaultPlan }: { defaultPlan: PlanName },
  deps: ExchangeTokenDeps,
): SessionHandlers {
  const { portal, database } = deps

  async function show(
    parentId: string,
    session: Omit<PortalSession, 'theme'>,
  ): Promise<PortalSession> {
    const where = { tenantId: parentId }
    const settings = await database.subAccountSettings.findUnique({ where })
    return { ...session, theme: (settings?.theme ?? null) as PortalSession['theme'] }
  }

  return {
    async exchangeSubAccountToken({ body }) {
      const claims = portal.tokens.verify(body.token, 'exchange')
      if (claims === null) throw unknownToken()
      await limitExchanges(deps, claims)
      const session = await takeSession(deps, claims)
      requireFeature(planNamed(session.plan, defaultPlan), 'sub_accounts')
      const { maxExpiresAt, parentId } = session
      const exp = Math.ceil(maxExpiresAt / 1_000)
      const iat = Math.floor(deps.now() / 1_000)
      const { isOver: _, ...rest } = claims
      const token = portal.tokens.sign({ ...rest, aud: 'session', iat, exp })
      const cookie = portal.cookie(token, maxExpiresAt + KEEP_COOKIE_MS - deps.now())
      return reply(await show(parentId, toPortalSession(session)), { cookies: [cookie] })
    },

    async getPortalSession({ caller }) {
      const { name, capabilities, expiresAt, returnUrl } = caller.subAccountSession
      return await show(caller.parent.tenantId, {
        subAccountId: caller.tenantId,
        name,
        scopes: [...capabilities],
        expiresAt: new Date(expiresAt).toISOString(),
        returnUrl,
      })
    },
  }
}

/** Throws where the token's session is not to be had (any more). */
async function takeSession(
  { portal, pool }: Pick<ExchangeTokenDeps, 'portal' | 'pool'>,
  claims: PortalClaims & { isOver: boolean },
): Promise<FoundPortalSession> {
  const session = await portal.find(claims)
  if (session === null || session.parentId !== claims.cid) throw unknownToken()
  const isOver = claims.isOver && !session.isConsumed
  if (!session.isLive || isOver) throw sessionExpired(session)
  if (!session.isConsumed && (await consumeSubAccountSession(pool, session))) return session
  const now = await portal.find(claims)
  if (now === null || !now.isLive) throw sessionExpired(session)
  const message = 'the link was opened before: it opens once'
  const { returnUrl, tenantId: subAccountId } = session
  throw new ApiError('ALREADY_CONSUMED', message, { portal: { returnUrl, subAccountId } })
}

function toPortalSession(session: FoundPortalSession): Omit<PortalSession, 'theme'> {
  return {
    subAccountId: session.tenantId,
    name: session.name === '' ? null : session.name,
    scopes: session.scopes as PortalCapability[],
    expiresAt: new Date(session.expiresAt).toISOString(),
    returnUrl: session.returnUrl,
  }
}

/** Each exchange of a token that is ours asks the registry. */
async function limitExchanges(
  { takeToken }: Pick<ExchangeTokenDeps, 'takeToken'>,
  { jti }: PortalClaims,
): Promise<void> {
  const { allowed, retryAfterMs } = await takeToken(`sub-account-exchange:${jti}`, SESSION_RATE)
  if (allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  throw new ApiError('RATE_LIMITED', 'this link is opened too often', { retryAfterSeconds })
}

function unknownToken(): ApiError {
  return new ApiError('UNAUTHORIZED', 'the link is none of ours: ask for another one')
}
