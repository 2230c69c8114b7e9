/**
 * Who may call a route. Every row of the catalog says it; `libs/http/src/decide-access.ts` is the
 * one place that decides by it.
 */
import type { Feature } from '@posthorn/domain/plans'
import type { PortalCapability } from '@posthorn/domain/portal-capabilities'
import { leastRoleOf, type Role } from '@posthorn/domain/roles'
import type { Scope } from '@posthorn/domain/scopes'

/** Called with an API key that has the scope, or by a member's session of at least that role. */
export interface MemberAccess {
  readonly by: 'member'
  readonly scope: Scope
  readonly role: Role
  /** API keys are refused. */
  readonly sessionOnly?: true
  /** The plan must have it. */
  readonly feature?: Feature
  /** May act in a sub-account, by `X-Sub-Account-ID`. */
  readonly subAccount?: true
  /** A person must have verified their e-mail address. */
  readonly verifiedEmail?: true
}

/** A signed-in session's own matters. */
export interface SessionAccess {
  readonly by: 'session'
  /** Also for somebody who must first set up a second factor. */
  readonly whileEnrolling?: true
  /** For people: a session that was made from an API key is refused. */
  readonly personal?: true
}

/** Everybody. Requests that change something must come from our own origin. */
export interface PublicAccess {
  readonly by: 'anyone'
  /** Other origins may send it: what it carries proves itself. */
  readonly crossSite?: true
}

/** An identity provider with a workspace's SCIM token. */
export interface ScimAccess {
  readonly by: 'scim-token'
}

/** A sub-account's session in the portal. */
export interface SubAccountAccess {
  readonly by: 'sub-account'
  /** null: any session that is in force. */
  readonly capability: PortalCapability | null
}

export type Access = MemberAccess | SessionAccess | PublicAccess | ScimAccess | SubAccountAccess

/** The least role follows from the scope where it is not given. */
export function may(
  scope: Scope,
  more: Partial<Omit<MemberAccess, 'by' | 'scope'>> = {},
): MemberAccess {
  return { by: 'member', scope, role: leastRoleOf(scope), ...more }
}

/** Also where the request acts in a sub-account of the workspace. */
export function mayInSubAccount(
  scope: Scope,
  more: Partial<Omit<MemberAccess, 'by' | 'scope' | 'subAccount'>> = {},
): MemberAccess {
  return may(scope, { ...more, subAccount: true })
}

export function signedIn(more: Omit<SessionAccess, 'by'> = {}): SessionAccess {
  return { by: 'session', ...more }
}

export function anyone(more: Omit<PublicAccess, 'by'> = {}): PublicAccess {
  return { by: 'anyone', ...more }
}

export function scimToken(): ScimAccess {
  return { by: 'scim-token' }
}

export function inPortal(capability: PortalCapability | null): SubAccountAccess {
  return { by: 'sub-account', capability }
}
