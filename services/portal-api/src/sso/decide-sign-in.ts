/**
 * Who somebody is whom an identity provider has vouched for, and whether they may come in: the one
 * rule for OAuth, OIDC and SAML. It is pure; `complete-sign-in.ts` gathers the facts and carries
 * out the outcome.
 *
 * A provider that the operator set up speaks for the addresses that it has verified. A workspace's
 * own provider is an outsider's choice: it speaks only for domains that the workspace has proved,
 * and never for a person of another workspace.
 */
import type { Role } from '@posthorn/domain/roles'

export interface SignInMembership {
  tenantId: string
  active: boolean
}

/** What is known of a person when their provider has sent them back to us. */
export interface SignInFacts {
  /** The workspace whose connection was used; null: a provider that the operator set up. */
  connectionOf: string | null
  /** The role of somebody who joins by this connection. */
  defaultRole: Role
  /** In lower case; null when the provider names none. */
  email: string | null
  /**
   * What the provider says of the address. `unsaid` is usual of SAML and of Entra: such a provider
   * is believed only for the domains of its own workspace, or of the operator.
   */
  emailIs: 'verified' | 'unverified' | 'unsaid'
  domain: {
    /** The workspace that has proved the address's domain by a TXT record. */
    provedBy: string | null
    /** Whether the operator trusts the domain: `SSO_TRUSTED_DOMAINS`. */
    trusted: boolean
    /** The workspace whose own connection the domain's people must use. */
    enforcedBy: string | null
  }
  /** The workspace that people of a trusted domain join; null: there is none. */
  trustedTenantId: string | null
  user: KnownUser | null
}

export interface KnownUser {
  id: string
  /** How the user was found: by an identity that came before, or by the e-mail address alone. */
  foundBy: 'identity' | 'email'
  emailVerified: boolean
  /** Whether a workspace has proved the domain of the user's own address; its id. */
  emailProvedBy: string | null
  mfaEnabled: boolean
  /** The one admin whom an enforced connection does not bind. */
  isBreakGlass: boolean
  /** In all workspaces; the one used last comes first. */
  memberships: readonly SignInMembership[]
}

/** The codes of `/login?error=` for somebody whom the provider knows and we refuse. */
export const SIGN_IN_REFUSALS = [
  'email_missing',
  'email_not_verified',
  'domain_not_proved',
  'no_account',
  'deactivated',
  'other_workspace',
  'sso_required',
] as const
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number]

export interface AdmittedSignIn {
  outcome: 'admitted'
  tenantId: string
  /** Null: the user is made, with a verified e-mail address and no password. */
  userId: string | null
  /** Whether the identity is new and has to be written down for the user. */
  link: boolean
  /**
   * Whether somebody signed up with the address without owning it: password, second factors and
   * sessions of theirs end before the owner comes in.
   */
  evict: boolean
  /** The role of a new member of the workspace; null: a member already. */
  joinAs: Role | null
  /** Whether the user's own second factor is still to be asked for. */
  secondFactor: boolean
}
export type SignInOutcome = { outcome: 'refused'; reason: SignInRefusal } | AdmittedSignIn

export function decideSignIn(facts: SignInFacts): SignInOutcome {
  return facts.connectionOf === null ? byOperator(facts) : byWorkspace(facts, facts.connectionOf)
}

/** Sign-in by a connection of the workspace `own`. */
function byWorkspace(facts: SignInFacts, own: string): SignInOutcome {
  const { user, domain } = facts
  const speaksForDomain = domain.provedBy === own || domain.trusted
  const mine = user?.memberships.find(({ tenantId }) => tenantId === own)
  if (user !== null && isAnothers(user, own)) return refused('other_workspace')
  if (mine?.active === false) return refused('deactivated')
  const admitted = { tenantId: own, userId: user?.id ?? null, secondFactor: false }
  if (user?.foundBy === 'identity' && mine !== undefined) {
    return outcome(admitted, { link: false, evict: false, joinAs: null })
  }
  if (facts.email === null) return refused('email_missing')
  if (facts.emailIs === 'unverified') return refused('email_not_verified')
  if (!speaksForDomain) return refused('domain_not_proved')
  const joinAs = mine === undefined ? facts.defaultRole : null
  return outcome(admitted, { ...linkOf(user), joinAs })
}

/** Sign-in by a provider that the operator set up for everybody. */
function byOperator(facts: SignInFacts): SignInOutcome {
  const { user, domain } = facts
  if (domain.enforcedBy !== null && user?.isBreakGlass !== true) return refused('sso_required')
  const believed = facts.emailIs === 'verified' || (facts.emailIs === 'unsaid' && domain.trusted)
  if (user?.foundBy !== 'identity') {
    if (facts.email === null) return refused('email_missing')
    if (!believed) return refused('email_not_verified')
  }
  // An unverified user's factors are the stranger's who signed up, and go.
  const secondFactor = user?.mfaEnabled === true && !linkOf(user).evict
  const admitted = { userId: user?.id ?? null, secondFactor }
  const current = user?.memberships.find(({ active }) => active)
  if (current !== undefined) {
    const { tenantId } = current
    return outcome({ ...admitted, tenantId }, { ...linkOf(user), joinAs: null })
  }
  if (user !== null && user.memberships.length > 0) return refused('deactivated')
  const joined = domain.provedBy ?? (domain.trusted ? facts.trustedTenantId : null)
  if (joined === null || facts.email === null || !believed) return refused('no_account')
  const joining = { ...linkOf(user), joinAs: facts.defaultRole }
  return outcome({ ...admitted, tenantId: joined }, joining)
}

/**
 * Whether a user is out of reach for the connections of a workspace: a member of another, whose
 * address is of a domain that the workspace has not proved. An unverified user's memberships do not
 * count, because whoever signed up has not shown to be that person.
 */
function isAnothers(user: KnownUser, own: string): boolean {
  if (user.emailProvedBy === own || !user.emailVerified) return false
  return user.memberships.some(({ tenantId }) => tenantId !== own)
}

function linkOf(user: KnownUser | null): { link: boolean; evict: boolean } {
  if (user?.foundBy === 'identity') return { link: false, evict: false }
  return { link: true, evict: user !== null && !user.emailVerified }
}

function refused(reason: SignInRefusal): SignInOutcome {
  return { outcome: 'refused', reason }
}

function outcome(
  admitted: Pick<AdmittedSignIn, 'tenantId' | 'userId' | 'secondFactor'>,
  rest: Pick<AdmittedSignIn, 'link' | 'evict' | 'joinAs'>,
): SignInOutcome {
  return { outcome: 'admitted', ...admitted, ...rest }
}
