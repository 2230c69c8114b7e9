/**
 * Decides whether somebody may call a route, by what the route's row says and who they are. It is
 * the one place that does.
 */
import type { MemberAccess } from '@posthorn/contracts/access'
import { ApiError } from '@posthorn/contracts/errors'
import { hasFeature, leastPlanWith } from '@posthorn/domain/plans'
import { isAtLeast } from '@posthorn/domain/roles'
import { grants } from '@posthorn/domain/scopes'
import type { Caller } from './handlers.ts'

type Asking = Pick<Caller, 'scopes' | 'role' | 'user' | 'sessionId' | 'plan'>

/** Throws FORBIDDEN, PLAN_REQUIRED or EMAIL_NOT_VERIFIED. */
export function requireAccess(access: MemberAccess, caller: Asking): void {
  if (access.sessionOnly === true && !isPersonal(caller)) {
    throw new ApiError('FORBIDDEN', 'this needs the session of a signed-in member, not an API key')
  }
  if (caller.role !== null && !isAtLeast(caller.role, access.role)) {
    throw new ApiError('FORBIDDEN', `this needs the role ${access.role}; yours is ${caller.role}`)
  }
  if (caller.role === null && !grants(caller.scopes, access.scope)) {
    throw new ApiError('FORBIDDEN', `the API key lacks the scope ${access.scope}`)
  }
  const { feature } = access
  if (feature !== undefined && !hasFeature(caller.plan, feature)) {
    const plan = leastPlanWith(feature)
    const message = `the plan ${caller.plan} does not have ${feature}: it needs ${plan} or more`
    throw new ApiError('PLAN_REQUIRED', message, { details: { plan, feature } })
  }
  if (access.verifiedEmail === true && caller.user?.emailVerified === false) {
    throw new ApiError('EMAIL_NOT_VERIFIED', 'verify your e-mail address first')
  }
}

/** A member's session, or that of a key with the scope `*`, which counts as an admin's. */
function isPersonal({ sessionId, role }: Asking): boolean {
  return sessionId !== null && role !== null
}
