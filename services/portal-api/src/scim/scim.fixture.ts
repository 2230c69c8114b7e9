/** SCIM requests as an identity provider sends them, and members to ask about. For tests. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { type Json, portal, tenant, type Tenant, usePortal } from '../portal.fixture.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export interface ScimAnswer {
  status: number
  headers: Headers
  body: Json
}

export type ScimCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ScimAnswer>

/** Sends requests for the tenant of the test, as `useScim` sets it. */
export let scim: ScimCall

/** Starts a portal for the tests of a file; each has a tenant and a token of its own. */
export function useScim(): void {
  usePortal()
  beforeEach(async () => {
    scim = await scimOf()
  })
}

/** Sends requests with this token; without one, with none. */
export function scimWith(token: string | null): ScimCall {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${portal.url}${path}`, {
      method,
      headers: {
        Connection: 'close',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }
}

/** Sends requests for a workspace, with a token of its own. */
export async function scimOf(owner: Tenant = tenant): Promise<ScimCall> {
  const { body, status } = await owner.call('POST', '/scim-tokens', { name: 'Okta' })
  if (status !== 201) throw new Error(`no token: ${status}`)
  return scimWith(body.token as string)
}

export interface AddedMember {
  userId: string
  email: string
  /** A session's cookie. */
  cookie: string
}

export async function addMember(
  owner: Tenant,
  more: { email?: string; role?: string; verified?: boolean; userId?: string } = {},
): Promise<AddedMember> {
  const { role = 'viewer', verified = true, userId = newId() } = more
  const { email = `${userId}@example.com` } = more
  await portal.pool.query(
    `INSERT INTO users (id, email, password_hash, email_verified_at)
      VALUES ($1, $2, 'hash', CASE WHEN $3 THEN now() END) ON CONFLICT DO NOTHING`,
    [userId, email, verified],
  )
  await portal.pool.query(
    'INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, $3)',
    [owner.tenantId, userId, role],
  )
  const token = newSecretToken()
  await portal.pool.query(
    `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
      VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
    [hashSecretToken(token), newId(), owner.tenantId, userId],
  )
  return { userId, email, cookie: `service_session=${token}` }
}

export async function proveDomain(owner: Tenant, domain: string): Promise<void> {
  await portal.pool.query(
    `INSERT INTO sso_domains (tenant_id, id, domain, proof, verified_at)
      VALUES ($1, $2, $3, 'proof', now())`,
    [owner.tenantId, newId(), domain],
  )
}

/** The status of a request of a signed-in member. */
export async function statusWith(cookie: string): Promise<number> {
  const response = await fetch(`${portal.url}/api/v1/projects`, {
    headers: { Cookie: cookie, Connection: 'close' },
  })
  await response.arrayBuffer()
  return response.status
}

export function newAddress(domain = 'example.com'): string {
  return `${randomUUID()}@${domain}`
}

export async function create(body: object = {}): Promise<Json> {
  const answer = await scim('POST', '/scim/v2/Users', {
    schemas: [USER],
    userName: newAddress(),
    ...body,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

export function patch(id: string, ...operations: object[]): Promise<ScimAnswer> {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  return scim('PATCH', `/scim/v2/Users/${id}`, { schemas, Operations: operations })
}

/** An error as SCIM's clients can read it. */
export function scimError(status: number, scimType?: string) {
  return {
    status,
    body: {
      schemas: [ERROR],
      status: String(status),
      detail: expect.any(String),
      ...(scimType === undefined ? {} : { scimType }),
    },
  }
}
