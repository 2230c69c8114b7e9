/** A portal whose people sign in at a provider of the test, and what they find. For tests. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { openSso, type SsoAccess } from '@posthorn/boot/sso'
import { newId } from '@posthorn/domain/ids'
import type { PlanName } from '@posthorn/domain/plans'
import type { Role } from '@posthorn/domain/roles'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startSession } from '../auth/start-session.ts'
import {
  type ApiResponse,
  startTestPortal,
  type TestPortal,
  type PortalSso,
} from '../portal.fixture.ts'
import { openBrowser, type TestBrowser } from './browser.fixture.ts'
import { type OidcPeer, startOidcPeer } from './oidc-peer.fixture.ts'
import type { OperatorProvider } from './sso-deps.ts'

export let portal: TestPortal
export let peer: OidcPeer
let access: SsoAccess
/** The TXT records of the test's world. */
export const txtRecords = new Map<string, string[][]>()

export const TRUSTED = 'trusted.example'

/** @param more providers beside the one called `oidc` */
export function useSso(more: () => Promise<OperatorProvider[]> = async () => []): void {
  beforeAll(async () => {
    peer = await startOidcPeer()
    access = openSso({ EGRESS_ALLOW_CIDRS: ['127.0.0.0/8'], REQUIRE_HTTPS: false })
    const { issuer, clientId, clientSecret } = peer
    const own = {
      id: 'oidc',
      name: 'Our own',
      kind: 'oidc',
      issuer,
      clientId,
      clientSecret,
    } as const
    const store = await createTestDatabase()
    const sso: PortalSso = {
      settings: {
        providers: [own, ...(await more())],
        trustedDomains: [TRUSTED],
        defaultPlan: 'self_hosted',
        userAgent: 'Service/9.9.9',
      },
      access: {
        ...access,
        resolveTxt: async (name) => {
          const found = txtRecords.get(name)
          if (found === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
          return found
        },
      },
    }
    portal = await startTestPortal(store, store.url, { sso })
  })
  afterEach(() => {
    peer.tamperTokens = null
    peer.tamperAuthorization = null
    txtRecords.clear()
  })
  afterAll(async () => {
    await portal.close()
    await access.close()
    await peer.close()
  })
}

export function browser(): TestBrowser {
  return openBrowser(portal.url)
}

export interface Person {
  id: string
  email: string
  tenantId: string
}

/** An e-mail address that nobody else has. */
export function newEmail(domain = 'example.com'): string {
  return `${randomBytes(6).toString('hex')}@${domain}`
}

/** Somebody who signed up: with a workspace of their own, or in the one given. */
export async function addPerson(
  more: {
    email?: string
    verified?: boolean
    tenantId?: string
    role?: Role
    plan?: PlanName
    mfa?: boolean
  } = {},
): Promise<Person> {
  const {
    email = newEmail(),
    verified = true,
    role = 'admin',
    plan = 'self_hosted',
    mfa = false,
  } = more
  const tenantId = more.tenantId ?? (await portal.addTenant()).tenantId
  const id = newId()
  await portal.pool.query(
    `INSERT INTO users (id, email, password_hash, email_verified_at, mfa_enabled)
      VALUES ($1, $2, 'a hash', CASE WHEN $3 THEN now() END, $4)`,
    [id, email, verified, mfa],
  )
  await portal.pool.query(
    'INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, $3)',
    [tenantId, id, role],
  )
  if (plan !== 'self_hosted') await setPlan(tenantId, plan)
  return { id, email, tenantId }
}

export async function setPlan(tenantId: string, plan: PlanName): Promise<void> {
  await portal.pool.query(
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
      VALUES ($1, $2, 'monthly', 'active') ON CONFLICT (tenant_id) DO UPDATE SET plan = $2`,
    [tenantId, plan],
  )
}

type CallAsPerson = (method: string, path: string, body?: unknown) => Promise<ApiResponse>

/** Requests with the cookie of a session of theirs. */
export async function callAsPerson({ id, tenantId }: Person): Promise<CallAsPerson> {
  const origin = { ip: '127.0.0.1', userAgent: null }
  const session = { tenantId, userId: id, ...origin }
  const { token } = await startSession(portal.database, session, Date.now())
  return async (method, path, body) =>
    await callWith(`service_session=${token}`, method, path, body)
}

export async function callWith(
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const response = await fetch(portal.url + path, {
    method,
    headers: {
      Connection: 'close',
      ...(cookie === '' ? {} : { cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
    text,
  }
}

/** Who is signed in with a browser; null: nobody. */
export async function signedInAs(
  one: TestBrowser,
): Promise<{ userId: string; tenantId: string } | null> {
  const token = one.cookies.get('service_session')
  if (token === undefined) return null
  const { rows } = await portal.pool.query<{ userId: string; tenantId: string }>(
    `SELECT user_id AS "userId", tenant_id AS "tenantId" FROM user_sessions
      WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
    [token],
  )
  return rows[0] ?? null
}

/** The members of a workspace. */
export async function membersOf(
  tenantId: string,
): Promise<{ email: string; role: string; source: string }[]> {
  const { rows } = await portal.pool.query(
    `SELECT u.email, m.role, m.source FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.tenant_id = $1 ORDER BY u.email`,
    [tenantId],
  )
  return rows
}

/** Has a workspace prove a domain. */
export async function proveDomain(person: Person, domain: string): Promise<void> {
  const call = await callAsPerson(person)
  const { body } = await call('POST', '/api/v1/sso/domains', { domain })
  txtRecords.set(domain, [[body.txtRecord]])
  const verified = await call('POST', `/api/v1/sso/domains/${body.id}/verify`)
  if (verified.body.status !== 'verified') throw new Error(verified.text)
}
