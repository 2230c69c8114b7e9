import { expect, test } from '@jest/globals'
import { may, type MemberAccess, signedIn } from '@posthorn/contracts/access'
import type { ApiError } from '@posthorn/contracts/errors'
import { scopesOf, type Role } from '@posthorn/domain/roles'
import { requireAccess, requirePerson } from './decide-access.ts'

type Asking = Parameters<typeof requireAccess>[1]

const USER = { id: 'u', email: 'a@example.com', name: null, emailVerified: true, mfaEnabled: false }

function key(...scopes: string[]): Asking {
  return {
    scopes,
    role: null,
    user: null,
    sessionId: null,
    keyProjectId: null,
    plan: 'self_hosted',
  }
}

function member(role: Role, change: Partial<Asking> = {}): Asking {
  const user = USER
  return { ...key(...scopesOf(role)), role, user, sessionId: 's', ...change }
}

const keySession: Asking = { ...key('*'), role: 'admin', sessionId: 's' }
const boundKey: Asking = { ...key('*'), keyProjectId: 'p' }
const narrowKeySession: Asking = { ...key('events:read'), sessionId: 's' }
const unverified = member('admin', { user: { ...USER, emailVerified: false } })

const READ = may('events:read')
const WRITE = may('events:write')
const ADMIN = may('team:write')
const PERSONAL = may('account:read', { sessionOnly: true })
const PERSONAL_ADMIN = may('account:write', { sessionOnly: true })
const VERIFIED = may('team:write', { verifiedEmail: true })
const PAID = may('inbound:write', { feature: 'inbound' })

const CASES: [string, MemberAccess, Asking, string | null][] = [
  ['a key with the scope', READ, key('events:read'), null],
  ['a key whose scope to write implies it', READ, key('events:write'), null],
  ['a key with every scope', ADMIN, key('*'), null],
  ['a key of one project, in it', WRITE, boundKey, null],
  ['a key of one project, about the workspace', ADMIN, boundKey, 'FORBIDDEN'],
  ['a key of one project, about who signs in', may('*'), boundKey, 'FORBIDDEN'],
  ['a key without the scope', WRITE, key('events:read', 'team:write'), 'FORBIDDEN'],
  ['a key where a session is needed', PERSONAL, key('*'), 'FORBIDDEN'],
  ['a viewer reads', READ, member('viewer'), null],
  ['a viewer writes', WRITE, member('viewer'), 'FORBIDDEN'],
  ['an editor writes', WRITE, member('editor'), null],
  ['an editor administrates', ADMIN, member('editor'), 'FORBIDDEN'],
  ['an admin administrates', ADMIN, member('admin'), null],
  ['a viewer, for themselves', PERSONAL, member('viewer'), null],
  ['an editor where an admin’s session is needed', PERSONAL_ADMIN, member('editor'), 'FORBIDDEN'],
  ['the session of a key with *', PERSONAL_ADMIN, keySession, null],
  ['the session of a lesser key, within its scopes', READ, narrowKeySession, null],
  ['the session of a lesser key, beyond its scopes', WRITE, narrowKeySession, 'FORBIDDEN'],
  ['the session of a lesser key, for itself', PERSONAL, narrowKeySession, 'FORBIDDEN'],
  ['an e-mail address that is not verified', VERIFIED, unverified, 'EMAIL_NOT_VERIFIED'],
  ['it matters nowhere else', ADMIN, unverified, null],
  ['a key has no e-mail address', VERIFIED, key('*'), null],
  ['a plan without the feature', PAID, member('admin', { plan: 'free' }), 'PLAN_REQUIRED'],
  ['a plan with the feature', PAID, member('admin', { plan: 'starter' }), null],
  ['a role comes before a plan', PAID, member('viewer', { plan: 'free' }), 'FORBIDDEN'],
]

test.each(CASES)('%s', (_, access, caller, code) => {
  let refused: string | null = null
  try {
    requireAccess(access, caller)
  } catch (error) {
    refused = (error as ApiError).code
  }
  expect(refused).toBe(code)
})

test('a plan that is refused is told which one would do', () => {
  expect(() => requireAccess(PAID, member('admin', { plan: 'free' }))).toThrow(
    expect.objectContaining({ details: { plan: 'starter', feature: 'inbound' } }),
  )
})

test('the plan growth has single sign-on by OIDC, and SAML is refused', () => {
  const admin = member('admin', { plan: 'growth' })
  expect(() => requireAccess(may('team:write', { feature: 'sso' }), admin)).not.toThrow()
  expect(() => requireAccess(may('team:write', { feature: 'saml' }), admin)).toThrow(
    expect.objectContaining({
      code: 'PLAN_REQUIRED',
      status: 403,
      details: { plan: 'scale', feature: 'saml' },
    }),
  )
})

test('a person’s own routes refuse the session of a key; other routes of sessions do not', () => {
  const personal = signedIn({ personal: true })
  expect(() => requirePerson(personal, member('viewer'))).not.toThrow()
  expect(() => requirePerson(personal, keySession)).toThrow(/belongs to no person/)
  expect(() => requirePerson(signedIn(), keySession)).not.toThrow()
})
