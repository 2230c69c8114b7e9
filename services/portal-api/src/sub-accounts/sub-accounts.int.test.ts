import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { actAs, MAX_SUB_ACCOUNTS, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  tenant.call(method, path, body, headers)

async function create(body: object): Promise<Record<string, string>> {
  const made = await call('POST', '/sub-accounts', body)
  expect(made.status).toBe(201)
  return made.body
}

const inside = (named: string | undefined, more: Record<string, string> = {}) => ({
  'X-Sub-Account-ID': named ?? '',
  ...more,
})

const ENDPOINT = { url: 'https://example.com/hook', eventTypes: ['*'] }

describe('the record', () => {
  test('is made by an external id, of either name, and read back', async () => {
    const made = await create({
      externalId: 'customer-1',
      name: 'Ada & Co',
      email: 'Ada@Example.com',
      metadata: { tier: 'gold', seats: 3 },
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: 'customer-1',
      name: 'Ada & Co',
      email: 'ada@example.com',
      metadata: { tier: 'gold', seats: 3 },
      status: 'active',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await call('GET', `/sub-accounts/${made['id']}`)).body).toEqual(made)
    const bare = await create({ subID: 'customer-2' })
    expect(bare).toMatchObject({
      externalId: 'customer-2',
      name: null,
      email: null,
      metadata: null,
    })
  })

  test.each([
    [{}, 'externalId'],
    [{ externalId: 'a', subID: 'a' }, 'externalId'],
    [{ externalId: '' }, 'externalId'],
    [{ externalId: 'x'.repeat(256) }, 'externalId'],
    [{ externalId: 'a', email: 'a@x, b@y' }, 'email'],
    [{ externalId: 'a', metadata: [] }, 'metadata'],
    [{ externalId: 'a', metadata: { a: 'x'.repeat(17_000) } }, 'metadata'],
    [{ externalId: 'a', colour: 'red' }, 'colour'],
  ])('%j is refused at %s', async (body, path) => {
    const refused = await call('POST', '/sub-accounts', body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(JSON.stringify(refused.body.details)).toContain(path)
  })

  test('an external id is one of its parent’s alone', async () => {
    const made = await create({ externalId: 'same' })
    const again = await call('POST', '/sub-accounts', { externalId: 'same' })
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(again.body.details).toEqual({ id: made['id'] })
    expect((await other.call('POST', '/sub-accounts', { externalId: 'same' })).status).toBe(201)
  })

  test('of twenty that come at once with one external id, one is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/sub-accounts', { externalId: 'race' })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(409)])
  })

  test('changes field by field, and comes back after it was deactivated', async () => {
    const { id } = await create({ externalId: 'a', name: 'Old', metadata: { a: 1 } })
    const path = `/sub-accounts/${id}`
    expect((await call('PATCH', path, { name: 'New' })).body).toMatchObject({
      name: 'New',
      metadata: { a: 1 },
    })
    expect((await call('PATCH', path, { name: null, metadata: null })).body).toMatchObject({
      name: null,
      metadata: null,
    })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).body.status).toBe('deactivated')
    expect((await call('PATCH', path, { status: 'active' })).body.status).toBe('active')
    expect((await call('PATCH', path, { externalId: 'b' })).status).toBe(400)
  })

  test('another workspace’s is not there', async () => {
    const { id } = await create({ externalId: 'mine' })
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      expect((await other.call(method, `/sub-accounts/${id}`, body)).status).toBe(404)
    }
    expect((await call('GET', `/sub-accounts/${id}`)).body.status).toBe('active')
  })

  test('there are only so many', async () => {
    for (let n = 0; n < MAX_SUB_ACCOUNTS; n += 1) await create({ externalId: `n${n}` })
    const refused = await call('POST', '/sub-accounts', { externalId: 'one more' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
    expect((await call('GET', '/sub-accounts?externalId=one%20more')).body.data).toEqual([])
  })
})

describe('the list', () => {
  const namesOf = (answer: { body: { data: { externalId: string }[] } }): string[] =>
    answer.body.data.map(({ externalId }) => externalId)

  test('is newest first, by page, and by what it is asked for', async () => {
    for (const [externalId, name] of [
      ['a-1', 'Alpha'],
      ['b-1', 'alphabet'],
      ['alp', 'Beta'],
      ['c_1', '100% Gamma'],
      ['cx1', '1000 Gammas'],
    ]) {
      await create({ externalId, name })
    }
    const { id } = (await call('GET', '/sub-accounts?externalId=b-1')).body.data[0]
    await call('DELETE', `/sub-accounts/${id}`)
    const page = await call('GET', '/sub-accounts?limit=2')
    expect(namesOf(page)).toEqual(['cx1', 'c_1'])
    expect(page.body.pagination.hasMore).toBe(true)
    const next = await call('GET', `/sub-accounts?limit=3&cursor=${page.body.pagination.cursor}`)
    expect(namesOf(next)).toEqual(['alp', 'b-1', 'a-1'])
    expect(next.body.pagination).toEqual({ hasMore: false, cursor: null })
    expect(namesOf(await call('GET', '/sub-accounts?status=deactivated'))).toEqual(['b-1'])
    expect(namesOf(await call('GET', '/sub-accounts?q=ALP'))).toEqual(['alp', 'b-1', 'a-1'])
    expect(namesOf(await call('GET', '/sub-accounts?q=alp&status=active'))).toEqual(['alp', 'a-1'])
    expect(namesOf(await call('GET', '/sub-accounts?q=c_'))).toEqual(['c_1'])
    expect(namesOf(await call('GET', `/sub-accounts?q=${encodeURIComponent('100%')}`))).toEqual([
      'c_1',
    ])
    expect((await call('GET', '/sub-accounts?status=asleep')).status).toBe(400)
  })
})

describe('acting in one', () => {
  test('its endpoints are its own, by either of its ids', async () => {
    const { id } = await create({ externalId: 'Kundin Ä' })
    const made = await call('POST', '/endpoints', ENDPOINT, inside(id))
    expect(made.status).toBe(201)
    const utf8 = Buffer.from('Kundin Ä', 'utf8').toString('latin1')
    const listed = await call('GET', '/endpoints', undefined, inside(utf8))
    expect(listed.body.data.map((endpoint: { id: string }) => endpoint.id)).toEqual([made.body.id])
    expect((await call('GET', '/endpoints')).body.data).toEqual([])
    expect((await call('GET', `/endpoints/${made.body.id}`)).status).toBe(404)
    const own = await call('POST', '/endpoints', ENDPOINT)
    expect((await call('GET', `/endpoints/${own.body.id}`, undefined, inside(id))).status).toBe(404)
  })

  test('who it is not is not there: unknown, another’s, the workspace itself', async () => {
    const { body } = await other.call('POST', '/sub-accounts', { externalId: 'theirs' })
    for (const named of [
      '',
      'nobody',
      'theirs',
      body.id,
      newId(),
      tenant.tenantId,
      'x'.repeat(300),
    ])
      expect((await call('GET', '/endpoints', undefined, inside(named))).status).toBe(404)
  })

  test('it can be used the moment it is made, also by who asked for it before', async () => {
    expect((await call('GET', '/endpoints', undefined, inside('soon'))).status).toBe(404)
    await create({ externalId: 'soon' })
    expect((await call('GET', '/endpoints', undefined, inside('soon'))).status).toBe(200)
  })

  test.each([
    ['GET', '/projects'],
    ['GET', '/api-keys'],
    ['GET', '/sub-accounts'],
    ['POST', '/event-types'],
  ])('%s %s has no place there', async (method, path) => {
    await create({ externalId: 'a' })
    const refused = await call(method, path, method === 'POST' ? {} : undefined, inside('a'))
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('it has the event types of its parent, and its own secret and project', async () => {
    await call('POST', '/event-types', { name: 'order.paid' })
    await create({ externalId: 'a' })
    const types = await call('GET', '/event-types', undefined, inside('a'))
    expect(types.body.data.map(({ name }: { name: string }) => name)).toEqual(['order.paid'])
    const named = await call('GET', '/event-types/by-name/order.paid', undefined, inside('a'))
    expect(named.status).toBe(200)
    const theirs = await call('GET', '/signing-secret', undefined, inside('a'))
    expect(theirs.body.signingSecret).toMatch(/^whsec_/)
    expect(theirs.body.signingSecret).not.toBe(tenant.secret)
    const project = { 'X-Project-ID': tenant.projectId }
    expect((await call('GET', '/endpoints', undefined, inside('a', project))).status).toBe(404)
  })

  test('a deactivated one is read and not written', async () => {
    const { id } = await create({ externalId: 'a' })
    const made = await call('POST', '/endpoints', ENDPOINT, inside('a'))
    await call('DELETE', `/sub-accounts/${id}`)
    expect((await call('GET', '/endpoints', undefined, inside('a'))).status).toBe(200)
    const refused = await call('POST', '/endpoints', ENDPOINT, inside('a'))
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
    const patched = await call('PATCH', `/endpoints/${made.body.id}`, ENDPOINT, inside('a'))
    expect(patched.status).toBe(409)
    await call('PATCH', `/sub-accounts/${id}`, { status: 'active' })
    expect((await call('POST', '/endpoints', ENDPOINT, inside('a'))).status).toBe(201)
  })

  test('a key that is bound to a project acts in none', async () => {
    await create({ externalId: 'a' })
    const project = await call('POST', '/projects', { name: 'P', environment: 'staging' })
    const bound = await call(
      'POST',
      '/api-keys',
      { name: 'k', scopes: ['*'] },
      {
        'X-Project-ID': project.body.id,
      },
    )
    const asBound = portal.callAs(bound.body.key)
    expect((await asBound('GET', '/endpoints', undefined, inside('a'))).status).toBe(403)
  })

  test('a workspace has none of its own sub-accounts’ sub-accounts', async () => {
    const { id } = await create({ externalId: 'a' })
    expect((await call('POST', '/sub-accounts', { externalId: 'b' }, inside(id))).status).toBe(400)
  })
})

describe('settings', () => {
  const SETTINGS = '/sub-account-settings'
  const PALETTE = {
    '--bg-000': '#ffffff',
    '--bg-100': '#f6f7f9',
    '--bg-200': '#e6e9ee',
    '--accent-main-100': '#e8efff',
    '--accent-main-900': '#1d4fd7',
    '--chart-delivered': '#0b6b3a',
    '--chart-failed': '#9a4a00',
    '--chart-dead': '#b3123a',
    '--warning-100': '#fff4d6',
  }
  const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')}`

  test('are empty at first, and change one by one', async () => {
    expect((await call('GET', SETTINGS)).body).toEqual({ defaultReturnUrl: null, theme: null })
    const url = 'https://app.example.com/webhooks?from=portal'
    const set = await call('PATCH', SETTINGS, { defaultReturnUrl: url })
    expect(set).toMatchObject({ status: 200, body: { defaultReturnUrl: url, theme: null } })
    const theme = { brandName: 'Acme', logo: PNG, font: 'serif', light: PALETTE }
    const themed = await call('PATCH', SETTINGS, { theme })
    expect(themed.body).toEqual({ defaultReturnUrl: url, theme: { ...theme, dark: null } })
    expect((await call('GET', SETTINGS)).body).toEqual(themed.body)
    const none = await call('PATCH', SETTINGS, { defaultReturnUrl: null, theme: null })
    expect(none.body).toEqual({ defaultReturnUrl: null, theme: null })
    expect((await other.call('GET', SETTINGS)).body).toEqual({
      defaultReturnUrl: null,
      theme: null,
    })
  })

  test.each([
    [{ defaultReturnUrl: 'javascript:alert(1)' }, 'defaultReturnUrl'],
    [{ defaultReturnUrl: 'https://user:secret@example.com' }, 'defaultReturnUrl'],
    [{ defaultReturnUrl: `https://example.com/${'a'.repeat(2_048)}` }, 'defaultReturnUrl'],
    [{ theme: { font: 'comic' } }, 'font'],
    [{ theme: { logo: 'https://example.com/logo.png' } }, 'logo'],
    [{ theme: { logo: PNG.replace('png', 'svg+xml') } }, 'logo'],
    [{ theme: { logo: `data:image/png;base64,${'A'.repeat(90_000)}` } }, 'logo'],
    [{ theme: { light: { ...PALETTE, '--bg-000': 'white' } } }, '--bg-000'],
    [{ theme: { light: { ...PALETTE, '--bg-300': '#ffffff' } } }, '--bg-300'],
    [{ theme: { light: { ...PALETTE, '--chart-dead': '#ffccdd' } } }, '--chart-dead on --bg-000'],
    [{ theme: { dark: PALETTE } }, 'the text on --bg-000'],
  ])('%j is refused: %s', async (body, where) => {
    const refused = await call('PATCH', SETTINGS, body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(JSON.stringify(refused.body.details)).toContain(where)
  })
})

test('a workspace of a lesser plan has none', async () => {
  actAs(await portal.addTenant())
  await portal.pool.query(
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
     VALUES ($1, 'starter', 'monthly', 'active')`,
    [tenant.tenantId],
  )
  const refused = await call('POST', '/sub-accounts', { externalId: 'a' })
  expect(refused).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } })
  expect(refused.body.details).toEqual({ plan: 'growth', feature: 'sub_accounts' })
})
