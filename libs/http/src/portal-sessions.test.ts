import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import {
  createPortalSessions,
  type FoundPortalSession,
  type PortalSessionsConfig,
} from './portal-sessions.ts'
import { createPortalTokens, type PortalClaims } from './portal-tokens.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const CONFIG: PortalSessionsConfig = {
  brand: 'Acme',
  origins: ['https://hooks.example.com', 'https://portal.example.com'],
  portalUrl: 'https://portal.example.com',
  crossSite: false,
  frameAncestors: [],
  defaultPlan: 'self_hosted',
}
const CLAIMS: PortalClaims = {
  jti: randomUUID(),
  sub: randomUUID(),
  cid: randomUUID(),
  scp: ['events:read', 'endpoints:write'],
  aud: 'session',
  iat: NOW / 1_000,
  exp: NOW / 1_000 + 60,
}
const SESSION: FoundPortalSession = {
  tenantId: CLAIMS.sub,
  id: CLAIMS.jti,
  parentId: CLAIMS.cid,
  name: '',
  scopes: ['events:read', 'events:retry'],
  returnUrl: 'https://app.example.com',
  expiresAt: NOW + 60_000,
  maxExpiresAt: NOW + 60_000,
  isConsumed: true,
  isLive: true,
  plan: null,
  projects: [{ id: randomUUID(), environment: 'production' }],
  parentProjects: [{ id: randomUUID(), environment: 'production' }],
}

function open(
  config: Partial<PortalSessionsConfig> = {},
  session: FoundPortalSession | null = SESSION,
) {
  const asked: string[] = []
  const used: { id: string; count: number }[] = []
  const tokens = createPortalTokens([Buffer.alloc(32, 1)], () => NOW)
  const sessions = createPortalSessions(
    { ...CONFIG, ...config },
    {
      tokens,
      find: async (references) => {
        asked.push(...references)
        return new Map(session === null ? [] : [[references[0] ?? '', session]])
      },
      recordUses: async (uses) => void used.push(...uses),
    },
  )
  const enter = (claims: Partial<PortalClaims> = {}) =>
    sessions.enter(
      sessions.identify(
        requestWith(`acme_sub_account_session=${tokens.sign({ ...CLAIMS, ...claims })}`),
      ),
    )
  return { sessions, tokens, asked, used, enter }
}

const requestWith = (cookie: string, method = 'GET', headers = {}) =>
  ({ method, headers: { cookie, ...headers } }) as IncomingMessage

test('the cookie is for the portal’s paths, and for other sites only where that is set', () => {
  const { sessions } = open()
  expect(sessions.cookie('t', 1_500)).toBe(
    'acme_sub_account_session=t; Path=/sub-account-api; Max-Age=2; HttpOnly; SameSite=Lax; Secure',
  )
  const plain = open({ portalUrl: 'http://portal.example.com' }).sessions
  expect(plain.cookie('t', 1_000)).toMatch(/SameSite=Lax$/)
  const embedded = open({ crossSite: true, portalUrl: 'http://portal.example.com' }).sessions
  expect(embedded.cookie('t', 1_000)).toBe(
    'acme_sub_account_session=t; Path=/sub-account-api; Max-Age=1; HttpOnly; SameSite=None; Secure; Partitioned',
  )
})

test('who may frame the portal is said by one header, and nobody by two', () => {
  expect(open().sessions.headers).toEqual({
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': "frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
  })
  const frameAncestors = ['https://app.example.com', 'https://*.example.org:8443']
  expect(open({ frameAncestors }).sessions.headers).toEqual({
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': 'frame-ancestors https://app.example.com https://*.example.org:8443',
  })
})

test('a made-up cookie is refused before anything is looked up', () => {
  const { sessions, tokens, asked } = open()
  const exchange = tokens.sign({ ...CLAIMS, aud: 'exchange' })
  for (const cookie of [
    '',
    'acme_sub_account_session=',
    'acme_sub_account_session=x.y.z',
    `acme_sub_account_session=${exchange}`,
    `service_sub_account_session=${tokens.sign(CLAIMS)}`,
    `acme_session=${tokens.sign(CLAIMS)}`,
  ])
    expect(() => sessions.identify(requestWith(cookie))).toThrow('there is no session')
  expect(asked).toEqual([])
})

test('the caller acts in the sub-account, with what both token and registry say it may', async () => {
  const { enter, used, asked } = open()
  expect(await enter()).toMatchObject({
    tenantId: CLAIMS.sub,
    parent: { tenantId: CLAIMS.cid, isDeactivated: false },
    scopes: [],
    role: null,
    projectId: null,
    homeProjectId: SESSION.projects[0]?.id,
    subAccountSession: { id: CLAIMS.jti, name: null, capabilities: ['events:read'] },
  })
  await Promise.all([enter(), enter()])
  expect(asked.length).toBeGreaterThan(1)
  await eventually(() => used.reduce((sum, { count }) => sum + count, 0) === 3)
})

test.each([
  ['revoked', { isLive: false }, {}],
  ['not exchanged', { isConsumed: false }, {}],
  ['over by its cookie', {}, { exp: NOW / 1_000 - 1 }],
])('a session that is %s is told where it returns to', async (_name, session, claims) => {
  const { enter, used } = open({}, { ...SESSION, ...session })
  await expect(enter(claims)).rejects.toMatchObject({
    code: 'SESSION_EXPIRED',
    portal: { returnUrl: 'https://app.example.com', subAccountId: CLAIMS.sub },
  })
  expect(used).toEqual([])
})

test('a session that nobody knows, or is of another workspace, is none', async () => {
  await expect(open({}, null).enter()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(open().enter({ cid: randomUUID() })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('what changes something comes from one of our own origins', () => {
  const { sessions } = open()
  const from =
    (origin: string, more = {}) =>
    () =>
      sessions.checkOrigin(requestWith('', 'POST', { origin, host: 'internal:8080', ...more }))
  expect(from('https://hooks.example.com')).not.toThrow()
  expect(from('https://portal.example.com')).not.toThrow()
  for (const origin of ['https://evil.example', 'null', 'http://portal.example.com'])
    expect(from(origin)).toThrow('another origin')
  expect(from('https://portal.example.com', { 'sec-fetch-site': 'cross-site' })).toThrow()
})
