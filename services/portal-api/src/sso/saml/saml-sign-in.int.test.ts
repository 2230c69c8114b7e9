import { beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { longestTurnMs } from '@posthorn/testing/longest-turn'
import { actAs, other, portal, tenant, type Tenant, usePortal } from '../../portal.fixture.ts'
import {
  ATTACKS,
  createSamlIdp,
  readAuthnRequest,
  type SamlAnswerOptions,
} from './saml-idp.fixture.ts'

usePortal()

const PUBLIC_URL = 'https://hooks.example.com'
const idp = createSamlIdp()
let email: string
let domain: string

interface Connection {
  id: string
  owner: Tenant
  loginUrl: string
  acsUrl: string
  spEntityId: string
}
let connection: Connection

beforeEach(async () => {
  domain = `${newId()}.example`
  email = `ada@${domain}`
  connection = await addConnection(tenant)
  await proveDomain(tenant, domain)
})

async function addConnection(owner: Tenant, metadata = idp.metadata): Promise<Connection> {
  const body = { type: 'saml', name: 'Okta', slug: 'okta', idpMetadata: metadata }
  const answer = await owner.call('POST', '/sso/connections', body)
  expect(answer.status).toBe(201)
  const { id, loginUrl, saml } = answer.body
  return { id, owner, loginUrl, acsUrl: saml.acsUrl, spEntityId: saml.spEntityId }
}

async function proveDomain(owner: Tenant, name: string): Promise<void> {
  await portal.pool.query(
    `INSERT INTO sso_domains (tenant_id, id, domain, proof, verified_at)
      VALUES ($1, $2, $3, 'proof', now())`,
    [owner.tenantId, newId(), name],
  )
}

/** Requests to the public address reach the portal of the test. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Connection: 'close', ...(init.headers as Record<string, string>) }
  const path = url.replace(PUBLIC_URL, portal.url)
  return await fetch(path, { redirect: 'manual', ...init, headers })
}

interface Flow {
  requestId: string
  relayState: string
  cookie: string
}

async function begin(query = '', from = connection): Promise<Flow> {
  const response = await ask(from.loginUrl + query)
  expect(response.status).toBe(303)
  const location = response.headers.get('location') ?? ''
  expect(location.startsWith(`${idp.ssoUrl}?SAMLRequest=`)).toBe(true)
  const { id, relayState } = readAuthnRequest(location)
  const [cookie = ''] = response.headers.getSetCookie()
  return { requestId: id, relayState, cookie: cookie.split(';', 1)[0] as string }
}

/** @returns where the browser is sent, and whether it is signed in */
async function post(
  xml: string,
  { relayState, cookie }: Pick<Flow, 'relayState' | 'cookie'>,
  to = connection.acsUrl,
): Promise<{ status: number; location: string; session: string | null }> {
  const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }
  const response = await ask(to, {
    method: 'POST',
    headers: { Origin: 'https://idp.example', 'Sec-Fetch-Site': 'cross-site', Cookie: cookie },
    body: new URLSearchParams(form),
  })
  const set = response.headers.getSetCookie().find((one) => one.startsWith('service_session='))
  const session = set?.split(';', 1)[0] ?? null
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    session: session === 'service_session=' ? null : session,
  }
}

async function answer(flow: Flow, more: Partial<SamlAnswerOptions> = {}): Promise<string> {
  const { acsUrl, spEntityId } = connection
  return await idp.answer({ requestId: flow.requestId, acsUrl, spEntityId, email, ...more })
}

async function sessions(): Promise<number> {
  const { rows } = await portal.pool.query('SELECT count(*)::int AS n FROM user_sessions')
  return rows[0].n
}

/** What nobody gets in by. */
async function expectRefused(
  error: string,
  attempt: () => Promise<{ status: number; location: string; session: string | null }>,
): Promise<void> {
  const before = await sessions()
  const location = `/login?error=${error}`
  expect(await attempt()).toEqual({ status: 303, location, session: null })
  expect(await sessions()).toBe(before)
}

describe('a sign-in', () => {
  test('makes a member of a proved domain, who is then known', async () => {
    const flow = await begin('?return=/endpoints')
    const done = await post(await answer(flow), flow)
    expect(done).toMatchObject({ status: 303, location: '/endpoints' })
    const me = await ask(`${PUBLIC_URL}/api/v1/projects`, {
      headers: { Cookie: done.session as string },
    })
    expect(me.status).toBe(200)
    const again = await begin()
    expect((await post(await answer(again), again)).location).toBe('/')
    const { rows } = await portal.pool.query(
      `SELECT u.email, u.name, m.role, m.source FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(rows).toEqual([{ email, name: 'Ada Byron', role: 'viewer', source: 'sso' }])
  })

  test('asks for what it accepts, bound to the browser', async () => {
    const response = await ask(connection.loginUrl)
    const { xml } = readAuthnRequest(response.headers.get('location') ?? '')
    expect(xml).toContain(`AssertionConsumerServiceURL="${connection.acsUrl}"`)
    expect(xml).toContain(`Destination="${idp.ssoUrl}"`)
    expect(xml).toContain(`>${connection.spEntityId}</saml:Issuer>`)
    const [cookie] = response.headers.getSetCookie()
    for (const attribute of ['SameSite=None', 'Secure', 'HttpOnly', 'Path=/auth/sso/saml'])
      expect(cookie).toContain(attribute)
  })

  test('our metadata names where answers go', async () => {
    const response = await ask(connection.spEntityId)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/xml/)
    const text = await response.text()
    expect(text).toContain(`entityID="${connection.spEntityId}"`)
    expect(text).toContain(`Location="${connection.acsUrl}"`)
    expect((await ask(connection.spEntityId.replace('okta', 'none'))).status).toBe(404)
  })
})

describe('row 18: no session by', () => {
  test.each(Object.keys(ATTACKS))('%s', async (name) => {
    const flow = await begin()
    const xml = await answer(flow)
    const attacked = ATTACKS[name]?.(xml, email) ?? ''
    expect(attacked).not.toBe(xml)
    await expectRefused('provider_error', () => post(attacked, flow))
    // The flow is used up.
    await expectRefused('flow_expired', () => post(xml, flow))
  })

  test.each<[string, () => Partial<SamlAnswerOptions>]>([
    ['another Destination', () => ({ values: { Destination: `${PUBLIC_URL}/x` } })],
    ['another Recipient', () => ({ values: { SubjectRecipient: `${PUBLIC_URL}/x` } })],
    ['another issuer', () => ({ values: { Issuer: 'https://other.example' } })],
    ['another audience', () => ({ spEntityId: `${PUBLIC_URL}/x` })],
    ['another request', () => ({ requestId: '_other' })],
  ])('%s', async (_what, more) => {
    const flow = await begin()
    const xml = await answer(flow, more())
    await expectRefused('provider_error', () => post(xml, flow))
  })

  test('the same response three times at once: one session', async () => {
    const flow = await begin()
    const xml = await answer(flow)
    const all = await Promise.all([post(xml, flow), post(xml, flow), post(xml, flow)])
    expect(all.filter(({ session }) => session !== null)).toHaveLength(1)
    await expectRefused('flow_expired', () => post(xml, flow))
  })

  test('an assertion of an earlier sign-in, in a response to this one', async () => {
    const first = await begin()
    const xml = await answer(first)
    expect((await post(xml, first)).session).not.toBeNull()
    // Whoever holds the provider's key can sign the same id twice; nobody gets in by it twice.
    const second = await begin()
    const id = /<saml:Assertion [^>]*?\bID="([^"]+)"/.exec(xml)?.[1] ?? ''
    const again = await answer(second, { values: { AssertionID: id } })
    await expectRefused('provider_error', () => post(again, second))
  })

  test('an unsolicited response', async () => {
    const flow = await begin()
    const { cookie, requestId } = flow
    const xml = await answer({ ...flow, requestId })
    for (const relayState of ['', '/endpoints', 'https://evil.example', 'x'.repeat(43)])
      await expectRefused('flow_expired', () => post(xml, { relayState, cookie }))
  })

  test('another browser, or the end of another flow', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const xml = await answer(mine)
    const { cookie } = theirs
    await expectRefused('flow_expired', () => post(xml, { ...mine, cookie }))
    await expectRefused('flow_expired', () => post(xml, { ...mine, cookie: '' }))
    await expectRefused('provider_error', () => post(xml, theirs))
    expect((await post(xml, mine)).session).not.toBeNull()
  })

  test('an address of a domain that is not proved, or of somebody elsewhere', async () => {
    const flow = await begin()
    const elsewhere = await answer(flow, { email: 'ada@elsewhere.example' })
    await expectRefused('domain_not_proved', () => post(elsewhere, flow))
  })
})

test('row 17: RelayState and return lead nowhere but here', async () => {
  for (const path of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:x',
  ]) {
    const flow = await begin(`?return=${encodeURIComponent(path)}`)
    expect((await post(await answer(flow), flow)).location).toBe('/')
  }
})

describe('row 19: workspaces', () => {
  test('a response for A gets nobody into B', async () => {
    const a = connection
    const stranger = await portal.addTenant()
    actAs(stranger)
    const b = await addConnection(stranger)
    await proveDomain(stranger, `b-${domain}`)
    const [flowA, flowB] = [await begin('', a), await begin('', b)]
    const forA = await answer(flowA)
    await expectRefused('flow_expired', () => post(forA, flowA, b.acsUrl))
    await expectRefused('provider_error', () => post(forA, flowB, b.acsUrl))
    // Its own provider vouches for an address of A's: a valid response, of a domain of A's.
    const next = await begin('', b)
    const { acsUrl, spEntityId } = b
    const forB = await idp.answer({ requestId: next.requestId, acsUrl, spEntityId, email })
    await expectRefused('domain_not_proved', () => post(forB, next, b.acsUrl))
  })

  test('another provider of the same entity id is not believed', async () => {
    const flow = await begin()
    const { acsUrl, spEntityId } = connection
    const evil = createSamlIdp(idp.entityId)
    const xml = await evil.answer({ requestId: flow.requestId, acsUrl, spEntityId, email })
    await expectRefused('provider_error', () => post(xml, flow))
  })

  test('SAML needs its plan', async () => {
    const flow = await begin()
    await portal.pool.query(
      `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
        VALUES ($1, 'growth', 'monthly', 'active')`,
      [tenant.tenantId],
    )
    portal.bus.announce('config.changed', [{ v: 1, tenantId: tenant.tenantId, what: 'plan' }])
    const body = { type: 'saml', name: 'x', slug: 'x', idpMetadata: idp.metadata }
    const created = await tenant.call('POST', '/sso/connections', body)
    expect(created).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } })
    const xml = await answer(flow)
    await expectRefused('unknown_provider', () => post(xml, flow))
    expect((await ask(connection.loginUrl)).headers.get('location')).toBe(
      '/login?error=unknown_provider',
    )
  })

  test('a connection that is switched off, or not there', async () => {
    const flow = await begin()
    await tenant.call('PATCH', `/sso/connections/${connection.id}`, { status: 'inactive' })
    const xml = await answer(flow)
    await expectRefused('unknown_provider', () => post(xml, flow))
    const foreign = connection.acsUrl.replace(tenant.tenantId, other.tenantId)
    await expectRefused('unknown_provider', () => post(xml, flow, foreign))
  })
})

describe('hostile forms', () => {
  test('are refused by their size, before anything is taken', async () => {
    const flow = await begin()
    const large = await post(`<a>${'<b/>'.repeat(20_000)}</a>`, flow)
    expect(large).toMatchObject({ status: 413, session: null })
    expect((await post(await answer(flow), flow)).session).not.toBeNull()
  })

  test('leave the event loop alone', async () => {
    const warm = await begin()
    await post(await answer(warm), warm)
    for (const xml of [
      `<a>${'<b/>'.repeat(3_900)}</a>`,
      `<a>${'<b/>'.repeat(9_000)}</a>`,
      `${'<a>'.repeat(1_900)}${'</a>'.repeat(1_900)}`,
      `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(2_000)}]><a/>`,
      '<'.repeat(36_000),
      'x'.repeat(36_000),
    ]) {
      const flow = await begin()
      const longest = await longestTurnMs(
        async () => await expectRefused('provider_error', () => post(xml, flow)),
      )
      expect(longest).toBeLessThanOrEqual(25)
    }
  })

  test('that are none', async () => {
    const flow = await begin()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: flow.cookie }
    const send = async (body: string) =>
      await ask(connection.acsUrl, { method: 'POST', headers, body })
    expect((await send('')).headers.get('location')).toBe('/login?error=flow_expired')
    expect((await send('SAMLResponse=%E0%A4%A')).status).toBe(400)
    expect((await send('RelayState=a&RelayState=b')).status).toBe(400)
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    expect((await ask(connection.acsUrl, json)).status).toBe(415)
    expect((await ask(connection.acsUrl)).status).toBe(405)
  })
})
