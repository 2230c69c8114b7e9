/**
 * Lets in by a sub-account's session: the cookie's signature first, then the registry, which is
 * asked for each request. So a revocation holds from the next request on, on every instance, and a
 * made-up cookie costs no query. Requests that arrive together share one.
 *
 * The use of a session is recorded in the background; where that fails, the next use records it.
 */
import type { IncomingMessage } from 'node:http'
import { createGroupCommit } from '@posthorn/async/group-commit'
import { ApiError } from '@posthorn/contracts/errors'
import { SUB_ACCOUNT_API } from '@posthorn/contracts/routes'
import { brandOf } from '@posthorn/domain/brand'
import { type PlanName, planNamed } from '@posthorn/domain/plans'
import { homeOf, type TenantProject } from './caller-place.ts'
import { readCookie, setCookie } from './cookies.ts'
import type { FindCredentials } from './credential-lookups.ts'
import { requireFeature } from './decide-access.ts'
import type { SubAccountCaller } from './handlers.ts'
import { createKeyLookups } from './key-lookups.ts'
import type { PortalClaims, PortalTokens } from './portal-tokens.ts'
import { isSameOrigin } from './same-origin.ts'

export interface FoundPortalSession {
  /** The sub-account. */
  tenantId: string
  id: string
  parentId: string
  /** '': the sub-account has none. */
  name: string
  scopes: string[]
  returnUrl: string
  /** Epoch ms. */
  expiresAt: number
  maxExpiresAt: number
  isConsumed: boolean
  /** It is neither revoked nor over, and its sub-account is active. */
  isLive: boolean
  plan: string | null
  /** Those of the sub-account, the default one first. */
  projects: TenantProject[]
  parentProjects: TenantProject[]
}

export interface PortalSessionsConfig {
  brand: string
  /** Where people reach this installation, and where the portal's links lead. */
  origins: readonly string[]
  /** Where links to the portal lead: `PORTAL_URL`, without a slash at the end. */
  portalUrl: string
  /** `SUBACCOUNT_CROSS_SITE_EMBED` */
  crossSite: boolean
  /** `SUBACCOUNT_ALLOWED_FRAME_ANCESTORS` */
  frameAncestors: readonly string[]
  defaultPlan: PlanName
}

export interface PortalSessionsDeps {
  tokens: PortalTokens
  /** By sub-account, a slash, and the session's id. */
  find: FindCredentials<FoundPortalSession>
  recordUses(uses: readonly { tenantId: string; id: string; count: number }[]): Promise<void>
}

export interface PortalSessions {
  tokens: PortalTokens
  portalUrl: string
  /** Every answer of the portal has them. */
  headers: Readonly<Record<string, string>>
  /** Throws FORBIDDEN where a page of another origin may have sent what changes something. */
  checkOrigin(request: IncomingMessage): void
  /** Who the cookie says it is; throws UNAUTHORIZED. Nothing is looked up. */
  identify(request: IncomingMessage): PortalClaims & { isOver: boolean }
  /** What the registry has now. */
  find(claims: PortalClaims): Promise<FoundPortalSession | null>
  /** The session as a caller; throws SESSION_EXPIRED. */
  enter(claims: PortalClaims & { isOver: boolean }): Promise<SubAccountCaller>
  /** A value of `Set-Cookie`. @param maxAgeMs how long the browser keeps it */
  cookie(token: string, maxAgeMs: number): string
  /** Resolves when every use is recorded. */
  idle(): Promise<void>
}

/** Requests a second of one session; a page of the portal makes a few. */
export const SESSION_RATE = 100
/** Those of all sessions of one sub-account together. */
const SUB_ACCOUNT_RATE = 200

/**
 * What one sub-account may take of its workspace's requests a second: at most half, so that the
 * customer of a customer never uses up what the workspace's own keys live on.
 * @param ofWorkspace 0: there is no limit
 */
export function subAccountRate(ofWorkspace: number): number {
  return ofWorkspace === 0
    ? SUB_ACCOUNT_RATE
    : Math.min(SUB_ACCOUNT_RATE, Math.ceil(ofWorkspace / 2))
}

const MAX_BATCH = 500
/** Some 100 bytes each. */
const MAX_QUEUE = 10_000

export function createPortalSessions(
  config: PortalSessionsConfig,
  deps: PortalSessionsDeps,
): PortalSessions {
  const { defaultPlan, origins, crossSite, portalUrl } = config
  const cookieName = `${brandOf(config.brand).lower}_sub_account_session`
  const lookups = createKeyLookups<FoundPortalSession>({
    findKeys: deps.find,
    begin: () => () => undefined,
  })
  const uses = createGroupCommit<FoundPortalSession, void>(
    { maxBatch: MAX_BATCH, maxQueue: MAX_QUEUE, writers: 1 },
    async (used) => {
      await deps.recordUses(counted(used))
      return used.map(() => undefined)
    },
  )
  const secure = crossSite || portalUrl.startsWith('https:')
  const find = ({ sub, jti }: PortalClaims) => lookups.ask(`${sub}/${jti}`, 'known', true)
  return {
    tokens: deps.tokens,
    portalUrl,
    headers: framingHeaders(config.frameAncestors),
    checkOrigin({ method = '', headers }) {
      if (origins.some((origin) => isSameOrigin(method, headers, origin))) return
      throw new ApiError('FORBIDDEN', 'a page of another origin may not send this')
    },
    identify({ headers }) {
      const token = readCookie(headers.cookie, cookieName)
      const claims = token === undefined ? null : deps.tokens.verify(token, 'session')
      if (claims === null)
        throw new ApiError('UNAUTHORIZED', 'there is no session: open a link to the portal')
      return claims
    },
    find,
    async enter(claims) {
      const session = await find(claims)
      if (session === null || session.parentId !== claims.cid)
        throw new ApiError('UNAUTHORIZED', 'there is no such session: open a link to the portal')
      if (claims.isOver || !session.isLive || !session.isConsumed) throw sessionExpired(session)
      const caller = toCaller(session, claims, defaultPlan)
      requireFeature(caller.plan, 'sub_accounts')
      void uses.add(session)?.catch(() => undefined)
      return caller
    },
    cookie: (token, maxAgeMs) =>
      setCookie(cookieName, token, {
        maxAgeSeconds: Math.ceil(maxAgeMs / 1_000),
        path: SUB_ACCOUNT_API,
        sameSite: crossSite ? 'None' : 'Lax',
        secure,
        partitioned: crossSite,
      }),
    idle: () => uses.idle(),
  }
}

/** A service does not start with routes of the portal and without its sessions. */
export function requirePortal({ portal }: { portal?: PortalSessions }): PortalSessions {
  if (portal === undefined) throw new Error('a service with routes of the portal needs `portal`')
  return portal
}

export function sessionExpired({ tenantId, returnUrl }: FoundPortalSession): ApiError {
  const portal = { returnUrl, subAccountId: tenantId }
  return new ApiError('SESSION_EXPIRED', 'the session has ended: go back and open it again', {
    portal,
  })
}

/**
 * A browser that does not know `frame-ancestors` obeys `X-Frame-Options`, which can't name several
 * origins: it is left out where some may frame the portal.
 */
function framingHeaders(ancestors: readonly string[]): Record<string, string> {
  const own = { 'Referrer-Policy': 'no-referrer' }
  if (ancestors.length > 0)
    return { ...own, 'Content-Security-Policy': `frame-ancestors ${ancestors.join(' ')}` }
  return {
    ...own,
    'Content-Security-Policy': "frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
  }
}

function toCaller(
  session: FoundPortalSession,
  claims: PortalClaims,
  defaultPlan: PlanName,
): SubAccountCaller {
  const { tenantId, parentId } = session
  const home = homeOf(session.projects, null, tenantId)
  const capabilities = claims.scp.filter((one) => session.scopes.includes(one))
  const name = session.name === '' ? null : session.name
  return {
    tenantId,
    actor: { type: 'sub_account', id: tenantId, name, userId: null },
    parent: {
      tenantId: parentId,
      homeProjectId: homeOf(session.parentProjects, null, parentId).id,
      isDeactivated: false,
    },
    keyId: null,
    role: null,
    user: null,
    sessionId: null,
    scopes: [],
    plan: planNamed(session.plan, defaultPlan),
    projectId: null,
    homeProjectId: home.id,
    keyProjectId: null,
    environment: home.environment,
    subAccountSession: {
      id: session.id,
      name,
      capabilities,
      expiresAt: session.expiresAt,
      returnUrl: session.returnUrl,
    },
  }
}

function counted(used: readonly FoundPortalSession[]) {
  const bySession = new Map<string, { tenantId: string; id: string; count: number }>()
  for (const { tenantId, id } of used) {
    const known = bySession.get(id)
    if (known === undefined) bySession.set(id, { tenantId, id, count: 1 })
    else known.count += 1
  }
  return [...bySession.values()]
}
