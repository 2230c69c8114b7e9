import { expect, test } from '@jest/globals'
import {
  decideSignIn,
  type KnownUser,
  type SignInFacts,
  type SignInMembership,
  type SignInOutcome,
} from './decide-sign-in.ts'

const OWN = 'own'
const ELSEWHERE = 'elsewhere'
const member = (tenantId: string): SignInMembership => ({ tenantId, active: true })
const left = (tenantId: string): SignInMembership => ({ tenantId, active: false })

const KNOWN: KnownUser = {
  id: 'user',
  foundBy: 'email',
  emailVerified: true,
  emailProvedBy: null,
  mfaEnabled: false,
  isBreakGlass: false,
  memberships: [member(OWN)],
}
const FACTS: SignInFacts = {
  connectionOf: OWN,
  defaultRole: 'viewer',
  email: 'ann@example.com',
  emailIs: 'verified',
  domain: { provedBy: OWN, trusted: false, enforcedBy: null },
  trustedTenantId: 'first',
  user: null,
}
const NOT_PROVED = { provedBy: null, trusted: false, enforcedBy: null }
const TRUSTED = { provedBy: null, trusted: true, enforcedBy: null }

type Changes = Omit<Partial<SignInFacts>, 'user'> & { user?: Partial<KnownUser> | null }

function decide({ user = null, ...facts }: Changes): SignInOutcome {
  return decideSignIn({ ...FACTS, ...facts, user: user === null ? null : { ...KNOWN, ...user } })
}

/** How an outcome reads in the tables below. */
function told(result: SignInOutcome): string {
  if (result.outcome === 'refused') return result.reason
  const { tenantId, userId, link, evict, joinAs, secondFactor } = result
  const words = [userId === null ? 'new' : '', link ? 'link' : '', evict ? 'evict' : '']
  if (joinAs !== null) words.push(`joins as ${joinAs}`)
  if (secondFactor) words.push('second factor')
  return [tenantId, ...words.filter((word) => word !== '')].join(', ')
}

test.each<[string, Changes, string]>([
  ['a stranger of a proved domain', {}, 'own, new, link, joins as viewer'],
  ['one of a trusted domain', { domain: TRUSTED }, 'own, new, link, joins as viewer'],
  ['with another default role', { defaultRole: 'editor' }, 'own, new, link, joins as editor'],
  ['of a domain nobody proved', { domain: NOT_PROVED }, 'domain_not_proved'],
  [
    'of a domain that another workspace proved',
    { domain: { ...NOT_PROVED, provedBy: ELSEWHERE } },
    'domain_not_proved',
  ],
  ['whose address is not verified', { emailIs: 'unverified' }, 'email_not_verified'],
  ['of whose address nothing is said', { emailIs: 'unsaid' }, 'own, new, link, joins as viewer'],
  [
    'nothing is said, and nothing is proved',
    { emailIs: 'unsaid', domain: NOT_PROVED },
    'domain_not_proved',
  ],
  ['without an address', { email: null }, 'email_missing'],
  ['a member', { user: {} }, 'own, link'],
  [
    'a member whose address is not verified there',
    { emailIs: 'unverified', user: {} },
    'email_not_verified',
  ],
  ['a member of no proved domain', { domain: NOT_PROVED, user: {} }, 'domain_not_proved'],
  ['a member who was deactivated', { user: { memberships: [left(OWN)] } }, 'deactivated'],
  ['somebody without a workspace', { user: { memberships: [] } }, 'own, link, joins as viewer'],
  [
    'somebody who signed up and never verified',
    { user: { emailVerified: false, memberships: [member(ELSEWHERE)] } },
    'own, link, evict, joins as viewer',
  ],
  [
    'an unverified member',
    { user: { emailVerified: false, memberships: [member(OWN)] } },
    'own, link, evict',
  ],
  [
    "another workspace's user, of a trusted domain",
    { domain: TRUSTED, user: { memberships: [member(ELSEWHERE)] } },
    'other_workspace',
  ],
  [
    'a member here and there, of a trusted domain',
    { domain: TRUSTED, user: { memberships: [member(OWN), member(ELSEWHERE)] } },
    'other_workspace',
  ],
  [
    "another workspace's user, of the workspace's own proved domain",
    { user: { emailProvedBy: OWN, memberships: [member(ELSEWHERE)] } },
    'own, link, joins as viewer',
  ],
  ['known from before', { user: { foundBy: 'identity' } }, 'own'],
  [
    'known from before, whatever is said of the address now',
    { user: { foundBy: 'identity' }, email: null, emailIs: 'unverified', domain: NOT_PROVED },
    'own',
  ],
  [
    'known from before, then deactivated',
    { user: { foundBy: 'identity', memberships: [left(OWN)] } },
    'deactivated',
  ],
  [
    'known from before, then taken out of the team',
    { user: { foundBy: 'identity', memberships: [] } },
    'own, joins as viewer',
  ],
  [
    'known from before, taken out, of a domain that is not proved any more',
    { user: { foundBy: 'identity', memberships: [] }, domain: NOT_PROVED },
    'domain_not_proved',
  ],
  [
    'known from before, and a member elsewhere since',
    { user: { foundBy: 'identity', memberships: [member(OWN), member(ELSEWHERE)] } },
    'other_workspace',
  ],
  [
    'known from before, a member elsewhere too, of the proved domain',
    {
      user: {
        foundBy: 'identity',
        emailProvedBy: OWN,
        memberships: [member(ELSEWHERE), member(OWN)],
      },
    },
    'own',
  ],
  ['with a second factor of their own', { user: { mfaEnabled: true } }, 'own, link'],
])("by the workspace's connection: %s", (_name, changes, expected) => {
  expect(told(decide(changes))).toBe(expected)
})

test.each<[string, Changes, string]>([
  ['a stranger', { domain: NOT_PROVED }, 'no_account'],
  [
    'a stranger of a proved domain',
    { domain: { ...NOT_PROVED, provedBy: ELSEWHERE } },
    'elsewhere, new, link, joins as viewer',
  ],
  ['a stranger of a trusted domain', { domain: TRUSTED }, 'first, new, link, joins as viewer'],
  [
    'a stranger of a trusted domain, but nothing to join',
    { domain: TRUSTED, trustedTenantId: null },
    'no_account',
  ],
  ['whose address is not verified', { emailIs: 'unverified' }, 'email_not_verified'],
  ['of whose address nothing is said', { emailIs: 'unsaid' }, 'email_not_verified'],
  [
    'nothing is said, of a trusted domain',
    { emailIs: 'unsaid', domain: TRUSTED },
    'first, new, link, joins as viewer',
  ],
  ['without an address', { email: null }, 'email_missing'],
  ['a user', { domain: NOT_PROVED, user: {} }, 'own, link'],
  [
    'a user, the address not verified there',
    { emailIs: 'unverified', user: {} },
    'email_not_verified',
  ],
  [
    'a user who never verified the address',
    { domain: NOT_PROVED, user: { emailVerified: false } },
    'own, link, evict',
  ],
  [
    'the workspace used last comes first',
    { user: { memberships: [left('gone'), member(ELSEWHERE), member(OWN)] } },
    'elsewhere, link',
  ],
  ['deactivated everywhere', { user: { memberships: [left(OWN)] } }, 'deactivated'],
  [
    'without a workspace, of a proved domain',
    { user: { memberships: [] } },
    'own, link, joins as viewer',
  ],
  [
    'without a workspace, of no domain of ours',
    { domain: NOT_PROVED, user: { memberships: [] } },
    'no_account',
  ],
  ['with a second factor', { user: { mfaEnabled: true } }, 'own, link, second factor'],
  [
    'with a second factor that a stranger set up',
    { user: { mfaEnabled: true, emailVerified: false } },
    'own, link, evict',
  ],
  [
    'known from before, with a second factor',
    { user: { foundBy: 'identity', mfaEnabled: true } },
    'own, second factor',
  ],
  ['known from before', { user: { foundBy: 'identity' }, emailIs: 'unverified' }, 'own'],
  [
    'known from before, without a workspace, the address not verified there',
    { user: { foundBy: 'identity', memberships: [] }, emailIs: 'unverified' },
    'no_account',
  ],
  [
    "of a domain whose people must use its workspace's connection",
    { domain: { ...NOT_PROVED, enforcedBy: ELSEWHERE }, user: { foundBy: 'identity' } },
    'sso_required',
  ],
  [
    'the break-glass admin of such a domain',
    { domain: { ...NOT_PROVED, enforcedBy: ELSEWHERE }, user: { isBreakGlass: true } },
    'own, link',
  ],
])("by the operator's provider: %s", (_name, changes, expected) => {
  expect(told(decide({ ...changes, connectionOf: null }))).toBe(expected)
})

/** Every combination of what the facts can say: 2 × 2 × 3 × 18 × (1 + 2 × 2 × 2 × 2 × 2 × 7). */
function* everyCase(): Generator<SignInFacts> {
  const { flags, places, teams } = {
    flags: [true, false],
    places: [null, OWN, ELSEWHERE],
    teams: [
      [],
      [member(OWN)],
      [left(OWN)],
      [member(ELSEWHERE)],
      [left(ELSEWHERE)],
      [member(ELSEWHERE), member(OWN)],
      [member(ELSEWHERE), left(OWN)],
    ],
  }
  const users: (KnownUser | null)[] = [null]
  for (const foundBy of ['identity', 'email'] as const)
    for (const emailVerified of flags)
      for (const emailProvedBy of [null, OWN])
        for (const mfaEnabled of flags)
          for (const isBreakGlass of flags)
            for (const memberships of teams)
              users.push({
                id: 'user',
                foundBy,
                emailVerified,
                emailProvedBy,
                mfaEnabled,
                isBreakGlass,
                memberships,
              })
  for (const connectionOf of [OWN, null])
    for (const email of [FACTS.email, null])
      for (const emailIs of ['verified', 'unverified', 'unsaid'] as const)
        for (const provedBy of places)
          for (const trusted of flags)
            for (const enforcedBy of places)
              for (const user of users)
                yield {
                  ...FACTS,
                  connectionOf,
                  email,
                  emailIs,
                  domain: { provedBy, trusted, enforcedBy },
                  user,
                }
}

test('in every case: what nobody may get', () => {
  const wrong: [string, SignInFacts][] = []
  let admitted = 0
  for (const facts of everyCase()) {
    const result = decideSignIn(facts)
    if (result.outcome === 'refused') continue
    admitted += 1
    const { user, domain, connectionOf } = facts
    const rules: Record<string, boolean> = {
      'an address that is not proved links nobody':
        !result.link || (facts.email !== null && facts.emailIs !== 'unverified'),
      'nobody joins by an address that is not proved':
        result.joinAs === null || (facts.email !== null && facts.emailIs !== 'unverified'),
      'nobody joins but of a proved or trusted domain':
        result.joinAs === null || domain.provedBy === result.tenantId || domain.trusted,
      'a new user joins something': result.userId !== null || result.joinAs !== null,
      'a user who owned no proof is evicted before being linked':
        !result.link || user === null || user.emailVerified !== result.evict,
      'whoever is deactivated stays out': !user?.memberships.some(
        ({ tenantId, active }) => tenantId === result.tenantId && !active,
      ),
      'a connection leads into its own workspace':
        connectionOf === null || connectionOf === result.tenantId,
      "a connection brings nobody of another workspace's":
        connectionOf === null ||
        user === null ||
        !user.emailVerified ||
        user.emailProvedBy === connectionOf ||
        user.memberships.every(({ tenantId }) => tenantId === connectionOf),
      "an operator's provider does not go around an enforced connection":
        connectionOf !== null || domain.enforcedBy === null || user?.isBreakGlass === true,
      "an operator's provider does not go around a second factor":
        connectionOf !== null || user?.mfaEnabled !== true || result.evict || result.secondFactor,
    }
    for (const [rule, holds] of Object.entries(rules)) if (!holds) wrong.push([rule, facts])
  }
  expect(wrong.slice(0, 3)).toEqual([])
  expect(admitted).toBeGreaterThan(1_000)
})
