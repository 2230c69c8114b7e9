/**
 * Decides whether somebody may call a route, by what the route's row says and who they are. It is
 * the one place that does.
 */
import type { MemberAccess, SessionAccess, SubAccountAccess } from '@posthorn/contracts/access'
import { ApiError } from '@posthorn/contracts/errors'
import { type Feature, hasFeature, leastPlanWith, type PlanName } from '@posthorn/domain/plans'
import { isAtLeast } from '@posthorn/domain/roles'
import { grants, type Scope } from '@posthorn/domain/scopes'
import type { Caller, SubAccountCaller } from './handlers.ts'

type Asking = Pick<Caller, 'scopes' | 'role' | 'user' | 'sessionId' | 'keyProjectId' | 'plan'>

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
  if (caller.keyProjectId !== null && OF_THE_WORKSPACE.includes(access.scope)) {
    const message = 'the API key is bound to a project: this concerns the whole workspace'
    throw new ApiError('FORBIDDEN', message)
  }
  const { feature } = access
  if (feature !== undefined) requireFeature(caller.plan, feature)
  if (access.verifiedEmail === true && caller.user?.emailVerified === false) {
    throw new ApiError('EMAIL_NOT_VERIFIED', 'verify your e-mail address first')
  }
}

/** Throws PLAN_REQUIRED. */
export function requireFeature(plan: PlanName, feature: Feature): void {
  if (hasFeature(plan, feature)) return
  const least = leastPlanWith(feature)
  const message = `the plan ${plan} does not have ${feature}: it needs ${least} or more`
  throw new ApiError('PLAN_REQUIRED', message, { details: { plan: least, feature } })
}

/**
 * What a key that is bound to a project may not do, whatever its scopes: it concerns the whole
 * workspace, and would lead out of the project.
 */
const OF_THE_WORKSPACE: readonly Scope[] = [
  '*',
  'team:write',
  'billing:write',
  'sub-accounts:write',
  'audit:read',
]

/** A member's session, or that of a key with the scope `*`, which counts as an admin's. */
function isPersonal({ sessionId, role }: Asking): boolean {
  return sessionId !== null && role !== null
}

/** Throws FORBIDDEN where a route is a person's and the session was made from an API key. */
export function requirePerson(access: SessionAccess, { user }: Pick<Caller, 'user'>): void {
  if (access.personal !== true || user !== null) return
  throw new ApiError('FORBIDDEN', 'this session was made from an API key and belongs to no person')
}

/** Throws FORBIDDEN where a session of the portal was not given what a route needs. */
export function requireCapability(
  { capability }: SubAccountAccess,
  { subAccountSession }: Pick<SubAccountCaller, 'subAccountSession'>,
): void {
  if (capability === null || subAccountSession.capabilities.includes(capability)) return
  throw new ApiError('FORBIDDEN', `this session lacks the capability ${capability}`)
}
