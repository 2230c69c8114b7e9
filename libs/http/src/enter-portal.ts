/** Lets a request of the portal in: signature, rate, registry, capability. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SubAccountAccess } from '@posthorn/contracts/access'
import { PLANS } from '@posthorn/domain/plans'
import { requireCapability } from './decide-access.ts'
import type { SubAccountCaller } from './handlers.ts'
import { type PortalSessions, SESSION_RATE, subAccountRate } from './portal-sessions.ts'
import { limitRate, type RateLimitDeps } from './rate-limit.ts'

export async function enterPortal(
  access: SubAccountAccess,
  request: IncomingMessage,
  response: ServerResponse,
  deps: RateLimitDeps & { portal: PortalSessions },
): Promise<SubAccountCaller> {
  const { portal } = deps
  const claims = portal.identify(request)
  portal.checkOrigin(request)
  // Before the registry is asked, which happens for each request.
  const rate = { of: 'sub-account session', id: claims.jti, perSecond: SESSION_RATE } as const
  await limitRate(deps, rate, response)
  const caller = await portal.enter(claims)
  const { requestsPerSecond: perSecond } = PLANS[caller.plan].limits
  const share = {
    of: 'sub-account',
    id: caller.tenantId,
    perSecond: subAccountRate(perSecond),
  } as const
  await limitRate(deps, share, response)
  if (perSecond > 0)
    await limitRate(deps, { of: 'workspace', id: caller.parent.tenantId, perSecond }, response)
  requireCapability(access, caller)
  return caller
}
