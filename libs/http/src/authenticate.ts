/**
 * Tells who calls, by the credential that a route takes: an API key, the cookie of a session, or a
 * SCIM token. Fails closed: where the store is down, nobody is let in.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import { brandOf } from '@posthorn/domain/brand'
import { type PlanName, planNamed } from '@posthorn/domain/plans'
import { secretTokenDigest } from '@posthorn/domain/secret-token'
import type { Authenticated } from './authenticated.ts'
import type { ProjectHeader } from './caller-place.ts'
import { readCookie } from './cookies.ts'
import { createCredentialLookups, type FindCredentials } from './credential-lookups.ts'
import { requireFeature } from './decide-access.ts'
import type { ScimCaller } from './handlers.ts'
import { createKeyCredentials, type FoundKey } from './key-credentials.ts'
import { isSameOrigin } from './same-origin.ts'
import { createSubAccountLookups, type SubAccountLookupsDeps } from './sub-account-lookups.ts'
import { inSubAccount, SUB_ACCOUNT_HEADER } from './sub-account-place.ts'
import {
  createSessionCredentials,
  type FoundSession,
  type SessionCredentialsDeps,
} from './session-credentials.ts'

export interface AuthenticateConfig {
  brand: string
  /** Where people reach this installation: scheme, host and port. */
  publicOrigin: string
  defaultPlan: PlanName
}

export interface AuthenticateDeps
  extends Pick<SessionCredentialsDeps, 'extendSession' | 'now'>,
    Pick<SubAccountLookupsDeps, 'findSubAccounts' | 'changedTenants'> {
  findKeys: FindCredentials<FoundKey>
  findSessions: FindCredentials<FoundSession>
  findScimTokens: FindCredentials<FoundScimToken>
  /** Monotonic: the age of what is kept. */
  monotonicMs?(): number
}

/** A token of provisioning, and the plan of its workspace's subscription. */
export interface FoundScimToken extends ScimCaller {
  plan: string | null
}

export interface Authenticate {
  /**
   * By an API key, else by the cookie of a session; in the sub-account that `X-Sub-Account-ID`
   * names, where it is sent. No promise where nothing has to be waited for; then it throws instead
   * of rejecting.
   */
  member(request: Pick<IncomingMessage, 'headers'>): Authenticated | Promise<Authenticated>
  /** By the cookie of a session alone. */
  session(request: Pick<IncomingMessage, 'headers'>): Promise<Authenticated>
  scimToken(request: IncomingMessage): Promise<ScimCaller>
  /**
   * Throws FORBIDDEN where a page of another origin may have sent a request that changes something.
   */
  checkOrigin(request: Pick<IncomingMessage, 'method' | 'headers'>): void
  /** Forgets what is kept about a tenant's keys, sessions, tokens and projects. */
  invalidateTenant(tenantId: string): void
  /**
   * Called every second where events are accepted, it saves most look-ups of sub-accounts. Where
   * it is not called they are kept for a second.
   */
  refresh(): Promise<void>
}

const BEARER = /^Bearer ([!-~]{1,255})$/i

export function createAuthenticate(
  { brand, publicOrigin, defaultPlan }: AuthenticateConfig,
  deps: AuthenticateDeps,
): Authenticate {
  const monotonicMs = deps.monotonicMs ?? (() => performance.now())
  const keys = createCredentialLookups(deps.findKeys, monotonicMs)
  const sessions = createCredentialLookups(deps.findSessions, monotonicMs)
  const scimTokens = createCredentialLookups(deps.findScimTokens, monotonicMs)
  const byKey = createKeyCredentials(keys, defaultPlan, deps.now)
  const { extendSession, now } = deps
  const bySession = createSessionCredentials({ sessions, extendSession, now }, defaultPlan)
  const subAccounts = createSubAccountLookups({ ...deps, monotonicMs })
  const cookieName = `${brandOf(brand).lower}_session`

  function byHeaders(
    headers: IncomingHttpHeaders,
    project: ProjectHeader,
  ): Authenticated | Promise<Authenticated> {
    const presented = headers['x-api-key']
    if (typeof presented === 'string' && presented !== '') return byKey(presented, project)
    const token = readCookie(headers.cookie, cookieName)
    if (token !== undefined) return bySession(token, project)
    throw new ApiError('UNAUTHORIZED', 'the API key is missing: send it in X-API-Key')
  }

  async function bySubAccountHeader(
    headers: IncomingHttpHeaders,
    name: string,
    project: ProjectHeader,
  ): Promise<Authenticated> {
    const found = await byHeaders(headers, undefined)
    const caller = async () => await inSubAccount(subAccounts, await found.caller(), name, project)
    return { ...found, caller }
  }

  return {
    member({ headers }) {
      const { [SUB_ACCOUNT_HEADER]: given, 'x-project-id': project } = headers
      if (given === undefined) return byHeaders(headers, project)
      return bySubAccountHeader(headers, String(given), project)
    },
    async session({ headers }) {
      const token = readCookie(headers.cookie, cookieName)
      if (token !== undefined) return await bySession(token, headers['x-project-id'])
      throw new ApiError('UNAUTHORIZED', 'nobody is signed in: the session cookie is missing')
    },
    async scimToken({ headers }) {
      const token = BEARER.exec(headers.authorization ?? '')?.[1]
      const found =
        token === undefined ? null : await scimTokens.find(secretTokenDigest(token), () => true)
      if (found === null)
        throw new ApiError('UNAUTHORIZED', 'the SCIM token is missing, unknown or revoked')
      requireFeature(planNamed(found.plan, defaultPlan), 'scim')
      return found
    },
    checkOrigin({ method = '', headers }) {
      if (isSameOrigin(method, headers, publicOrigin)) return
      throw new ApiError('FORBIDDEN', 'a page of another origin may not send this')
    },
    invalidateTenant(tenantId) {
      const isOfTenant = (found: { tenantId: string }): boolean => found.tenantId === tenantId
      for (const lookups of [keys, sessions, scimTokens]) lookups.invalidate(isOfTenant)
      subAccounts.invalidate((found) => isOfTenant(found) || found.parentId === tenantId)
    },
    refresh: subAccounts.refresh,
  }
}
