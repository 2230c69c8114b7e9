/** A customer's browser: it opens links to the portal and calls it with the cookie it was given. */
import { expect } from '@jest/globals'
import { type Call, type Json, portal, tenant } from '../portal.fixture.ts'

export interface PortalAnswer {
  status: number
  headers: Headers
  body: Json
}

export interface Minted {
  id: string
  token: string
  url: string
  expiresAt: string
  returnURL: string
  scopes: string[]
}

export interface PortalClient extends Minted {
  /** As it goes into the header `Cookie`. */
  cookie: string
  call(method: string, path: string, body?: unknown, headers?: object): Promise<PortalAnswer>
}

export const RETURN_URL = 'https://app.example.com/webhooks?tab=portal'

export async function addSubAccount(externalId: string, call: Call = tenant.call): Promise<string> {
  const made = await call('POST', '/sub-accounts', { externalId, name: `Name of ${externalId}` })
  expect(made.status).toBe(201)
  return made.body.id
}

export async function mint(
  subAccountId: string,
  body: object = {},
  call: Call = tenant.call,
): Promise<Minted> {
  const minted = await call('POST', `/sub-accounts/${subAccountId}/sessions`, {
    returnURL: RETURN_URL,
    ...body,
  })
  expect(minted.status).toBe(201)
  return minted.body
}

/** Calls a path below the origin, without a key. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: object = {},
): Promise<PortalAnswer> {
  const response = await fetch(portal.url + path, {
    method,
    headers: {
      Connection: 'close',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson =
    response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

export function exchange(token: unknown, headers: object = {}): Promise<PortalAnswer> {
  return send('POST', '/sub-account-api/auth/exchange', { token }, headers)
}

/** The name and value of the cookie that an answer sets. */
export function cookieOf({ headers }: Pick<PortalAnswer, 'headers'>): string {
  return headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

export function withCookie(cookie: string): PortalClient['call'] {
  return (method, path, body, headers = {}) =>
    send(method, `/sub-account-api${path}`, body, { Cookie: cookie, ...headers })
}

/** Mints a session and opens its link. */
export async function openPortal(
  subAccountId: string,
  body: object = {},
  call: Call = tenant.call,
): Promise<PortalClient> {
  const minted = await mint(subAccountId, body, call)
  const exchanged = await exchange(minted.token)
  expect(exchanged.status).toBe(200)
  const cookie = cookieOf(exchanged)
  return { ...minted, cookie, call: withCookie(cookie) }
}
