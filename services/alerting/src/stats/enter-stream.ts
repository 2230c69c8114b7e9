/**
 * Who may see a stream of stats: by the key in the query, which a browser's WebSocket needs because
 * it can send no headers, by `X-API-Key`, or by the cookie of a session from our own origin. The
 * key in the query is never logged: nothing here logs a URL.
 */
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import { STATS_ACCESS } from '@posthorn/contracts/stats-routes'
import { PLANS } from '@posthorn/domain/plans'
import type { Authenticate } from '@posthorn/http/authenticate'
import { requireAccess } from '@posthorn/http/decide-access'
import { type Caller, payerOf } from '@posthorn/http/handlers'
import { limitRate, type RateLimitDeps } from '@posthorn/http/rate-limit'

export interface EnterDeps extends RateLimitDeps {
  authenticate: Authenticate
}

/** What a stream is entered with, and asked again with while it lasts. */
export type StreamCredentials = IncomingHttpHeaders

/** Throws UNAUTHORIZED, FORBIDDEN, or RATE_LIMITED. */
export async function enterStream(
  request: IncomingMessage,
  deps: EnterDeps,
): Promise<{ caller: Caller; credentials: StreamCredentials }> {
  const credentials = credentialsOf(request)
  if (credentials['x-api-key'] === undefined) requireOwnOrigin(request, deps)
  const found = await deps.authenticate.member({ headers: credentials })
  // Where the limits would tell their headers: nobody reads them.
  const unread = new ServerResponse(request)
  if (found.keyId !== null && found.rateLimit !== null) {
    const limit = { of: 'API key', id: found.keyId, perSecond: found.rateLimit } as const
    await limitRate(deps, limit, unread)
  }
  const caller = await found.caller()
  const { requestsPerSecond: perSecond } = PLANS[caller.plan].limits
  if (perSecond > 0)
    await limitRate(deps, { of: 'workspace', id: payerOf(caller), perSecond }, unread)
  if (found.mustEnrol) throw new ApiError('MFA_REQUIRED', 'set up a second factor first')
  requireAccess(STATS_ACCESS, caller)
  return { caller, credentials }
}

/** Whether the credentials still let somebody see the stats of this tenant. */
export async function mayStay(
  credentials: StreamCredentials,
  tenantId: string,
  { authenticate }: Pick<EnterDeps, 'authenticate'>,
): Promise<boolean> {
  try {
    const found = await authenticate.member({ headers: credentials })
    const caller = await found.caller()
    requireAccess(STATS_ACCESS, caller)
    return caller.tenantId === tenantId && !found.mustEnrol
  } catch (error) {
    // A store that is down says nothing about the credentials.
    return !(error instanceof ApiError) || error.code === 'UNAVAILABLE'
  }
}

function credentialsOf({ url = '', headers }: IncomingMessage): StreamCredentials {
  const query = url.indexOf('?')
  const key = query === -1 ? null : new URLSearchParams(url.slice(query)).get('key')
  return key === null || key === '' ? headers : { ...headers, 'x-api-key': key }
}

/** A browser sends a session's cookie with every page's WebSocket, and always tells its origin. */
function requireOwnOrigin({ headers }: IncomingMessage, { authenticate }: EnterDeps): void {
  if (headers.cookie === undefined) return
  if (headers.origin === undefined) {
    throw new ApiError('FORBIDDEN', 'a session needs the Origin header; or send an API key')
  }
  authenticate.checkOrigin({ method: 'POST', headers })
}
