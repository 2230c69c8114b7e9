import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { longestTurnMs } from '@posthorn/testing/longest-turn'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'
import {
  addMember,
  proveDomain,
  type ScimAnswer,
  type ScimCall,
  scimOf,
  scimWith,
  statusWith,
} from './scim.fixture.ts'

usePortal()

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
let scim: ScimCall

beforeEach(async () => {
  scim = await scimOf()
})

function newAddress(domain = 'example.com'): string {
  return `${randomUUID()}@${domain}`
}

async function create(body: object = {}): Promise<Json> {
  const answer = await scim('POST', '/scim/v2/Users', {
    schemas: [USER],
    userName: newAddress(),
    ...body,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

function patch(id: string, ...operations: object[]): Promise<ScimAnswer> {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  return scim('PATCH', `/scim/v2/Users/${id}`, { schemas, Operations: operations })
}

/** An error as SCIM's clients can read it. */
function scimError(status: number, scimType?: string) {
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

describe('tokens', () => {
  test('are shown once, listed, and refused once they are revoked', async () => {
    const made = await tenant.call('POST', '/scim-tokens', { name: 'Entra' })
    expect(made).toMatchObject({ status: 201, body: { name: 'Entra', lastUsedAt: null } })
    expect(made.body.token).toMatch(/^ph_scim_[\w-]{43}$/)
    const call = scimWith(made.body.token as string)
    expect((await call('GET', '/scim/v2/Users')).status).toBe(200)
    const { body } = await tenant.call('GET', '/scim-tokens')
    const listed = body.data.find(({ id }: Json) => id === made.body.id)
    expect(listed).toEqual({
      id: made.body.id,
      name: 'Entra',
      createdAt: made.body.createdAt,
      lastUsedAt: expect.stringMatching(/Z$/),
    })
    expect((await other.call('DELETE', `/scim-tokens/${made.body.id}`)).status).toBe(404)
    expect((await tenant.call('DELETE', `/scim-tokens/${made.body.id}`)).status).toBe(204)
    expect((await tenant.call('DELETE', `/scim-tokens/${made.body.id}`)).status).toBe(404)
    expect(await call('GET', '/scim/v2/Users')).toMatchObject(scimError(401))
  })

  test('a workspace has at most 10', async () => {
    for (let count = 1; count < 10; count += 1) await scimOf()
    expect((await tenant.call('POST', '/scim-tokens', { name: 'x' })).body.code).toBe(
      'INVALID_STATE',
    )
  })

  test('row 20: no token, another one, an API key as one, an id of another workspace', async () => {
    const { id } = await create()
    for (const token of [null, `ph_scim_${'x'.repeat(43)}`, tenant.key])
      expect(await scimWith(token)('GET', `/scim/v2/Users/${id}`)).toMatchObject(scimError(401))
    const foreign = await scimOf(other)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const operation = { op: 'replace', value: { active: false } }
      const body = { userName: newAddress(), Operations: [operation] }
      const given = ['PUT', 'PATCH'].includes(method) ? body : undefined
      const path = `/scim/v2/Users/${id}`
      expect(await foreign(method, path, given)).toMatchObject(scimError(404))
    }
    expect((await scim('GET', `/scim/v2/Users/${id}`)).body.active).toBe(true)
    const filter = encodeURIComponent(`id eq "${id}"`)
    expect((await foreign('GET', `/scim/v2/Users?filter=${filter}`)).body.totalResults).toBe(0)
  })

  test('the plan must have SCIM', async () => {
    await portal.pool.query(
      `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
        VALUES ($1, 'growth', 'monthly', 'active')`,
      [tenant.tenantId],
    )
    portal.bus.announce('config.changed', [{ v: 1, tenantId: tenant.tenantId, what: 'plan' }])
    expect((await tenant.call('GET', '/scim-tokens')).body.code).toBe('PLAN_REQUIRED')
    expect(await scim('GET', '/scim/v2/Users')).toMatchObject(scimError(403))
  })
})

describe('users', () => {
  test('are created, read, replaced and removed', async () => {
    const userName = newAddress()
    const sent = {
      userName,
      externalId: randomUUID(),
      displayName: 'Ada',
      name: { givenName: 'Ada', familyName: 'Byron' },
      emails: [{ value: userName, type: 'work', primary: true }],
      active: true,
    }
    const answer = await scim('POST', '/scim/v2/Users', { schemas: [USER], ...sent })
    expect(answer.status).toBe(201)
    const { id } = answer.body
    const location = `https://hooks.example.com/scim/v2/Users/${id}`
    expect(answer.headers.get('content-type')).toBe('application/scim+json')
    expect(answer.headers.get('location')).toBe(location)
    expect(answer.body).toEqual({
      schemas: [USER],
      id,
      ...sent,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
      },
    })
    expect((await scim('GET', `/scim/v2/Users/${id}`)).body).toEqual(answer.body)

    const replaced = await scim('PUT', `/scim/v2/Users/${id}`, { userName, displayName: 'A' })
    expect(replaced).toMatchObject({ status: 200, body: { id, userName, displayName: 'A' } })
    expect(replaced.body).not.toHaveProperty('name')
    expect(replaced.body).not.toHaveProperty('externalId')

    expect((await scim('DELETE', `/scim/v2/Users/${id}`)).status).toBe(204)
    expect(await scim('GET', `/scim/v2/Users/${id}`)).toMatchObject(scimError(404))
    expect((await create({ userName })).id).not.toBe(id)
  })

  test('a member is a viewer who came by SCIM, of an address that is not verified', async () => {
    const { id, userName } = await create({ displayName: 'Ada' })
    const { rows } = await portal.pool.query(
      `SELECT m.role, m.source, m.status, u.email, u.name, u.password_hash, u.email_verified_at
        FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.user_id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        role: 'viewer',
        source: 'scim',
        status: 'active',
        email: userName,
        name: 'Ada',
        password_hash: null,
        email_verified_at: null,
      },
    ])
    await proveDomain(tenant, 'proved.example')
    const proved = await create({ userName: newAddress('proved.example') })
    const { rows: verified } = await portal.pool.query(
      'SELECT email_verified_at FROM users WHERE id = $1',
      [proved.id],
    )
    expect(verified[0].email_verified_at).toBeInstanceOf(Date)
  })

  test('userName, address and externalId are unique in a workspace', async () => {
    const { userName, emails } = await create({ externalId: 'e-1' })
    expect(emails).toBeUndefined()
    const unique = scimError(409, 'uniqueness')
    const post = (body: object): Promise<ScimAnswer> => scim('POST', '/scim/v2/Users', body)
    expect(await post({ userName })).toMatchObject(unique)
    expect(await post({ userName: userName.toUpperCase() })).toMatchObject(unique)
    expect(await post({ userName: 'x', emails: [{ value: userName }] })).toMatchObject(unique)
    expect(await post({ userName: newAddress(), externalId: 'e-1' })).toMatchObject(unique)
    const second = await create()
    const put = await scim('PUT', `/scim/v2/Users/${second.id}`, { userName })
    expect(put).toMatchObject(unique)
    const same = await Promise.all(
      Array.from({ length: 3 }, () => post({ userName: `same-${second.userName}` })),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const named = await Promise.all(
      Array.from({ length: 3 }, () =>
        post({ userName: `name-${userName}`, emails: [{ value: newAddress() }] }),
      ),
    )
    expect(named.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test('are listed in pages, those who were deactivated too', async () => {
    const made: Json[] = []
    for (let count = 0; count < 3; count += 1) made.push(await create({ active: count > 0 }))
    const list = async (query: string): Promise<Json> =>
      (await scim('GET', `/scim/v2/Users?${query}`)).body
    expect(await list('')).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 })
    expect(await list('startIndex=2&count=1')).toMatchObject({
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: made[1].id }],
    })
    expect(await list('startIndex=0&count=-1')).toMatchObject({
      totalResults: 3,
      startIndex: 1,
      Resources: [],
    })
    expect(await list('startIndex=99')).toMatchObject({ totalResults: 3, Resources: [] })
    expect(await list('aadOptscim062020&sortBy=x')).toMatchObject({ totalResults: 3 })
    expect((await scim('GET', '/scim/v2/Users?count=x')).status).toBe(400)
    const shown = await list('attributes=userName&count=1')
    expect(shown.Resources).toEqual([
      { schemas: [USER], id: made[0].id, userName: made[0].userName },
    ])
    const searched = await scim('POST', '/scim/v2/.search', { count: 1, attributes: ['userName'] })
    expect(searched.body).toEqual(shown)
  })

  test('are found by what identity providers look for', async () => {
    const user = await create({ externalId: 'E-1', emails: [{ value: newAddress() }] })
    const member = await addMember(tenant)
    const find = async (filter: string): Promise<string[]> => {
      const query = `filter=${encodeURIComponent(filter)}`
      const { body, status } = await scim('GET', `/scim/v2/Users?${query}`)
      expect([filter, status]).toEqual([filter, 200])
      return body.Resources.map(({ id }: Json) => id)
    }
    expect(await find(`userName eq "${user.userName.toUpperCase()}"`)).toEqual([user.id])
    expect(await find(`userName eq "${member.email}"`)).toEqual([member.userId])
    expect(await find('externalId eq "E-1"')).toEqual([user.id])
    expect(await find('externalId eq "e-1"')).toEqual([])
    expect(await find(`id eq "${user.id}" and active eq true`)).toEqual([user.id])
    expect(await find(`emails.value eq "${user.emails[0].value}"`)).toEqual([user.id])
    expect(await find('active eq "False"')).toEqual([])
    expect(await find('active eq "x"')).toEqual([])
    expect(await find('id eq "x"')).toEqual([])
    expect(await find(`userName eq "' OR 1=1 --"`)).toEqual([])
  })

  test('row 21: filters that are none', async () => {
    for (const filter of [
      'password eq "x"',
      'userName eq true',
      'userName eq "\\u0000"',
      `userName eq "x" or 1 eq 1`,
      `${'('.repeat(5_000)}userName eq "x"`,
      "userName eq 'x'; DROP TABLE users",
    ]) {
      const answer = await scim('GET', `/scim/v2/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, answer.status, answer.body.schemas]).toEqual([filter, 400, [ERROR]])
    }
    expect(await scim('GET', '/scim/v2/Users?filter=userName')).toMatchObject(
      scimError(400, 'invalidFilter'),
    )
  })
})

describe('deactivation', () => {
  test.each([
    ['Okta', { op: 'replace', value: { active: false } }],
    ['Entra', { op: 'Replace', path: 'active', value: 'False' }],
  ])('%s: ends sessions and keys, and the member stays in the list', async (_who, operation) => {
    const member = await addMember(tenant, { role: 'editor' })
    const elsewhere = await addMember(tenant)
    const key = await tenant.call('POST', '/api-keys', { name: 'k', scopes: ['events:read'] })
    await portal.pool.query('UPDATE api_keys SET created_by = $1 WHERE id = $2', [
      `user:${member.userId}`,
      key.body.id,
    ])
    expect(await statusWith(member.cookie)).toBe(200)
    const answer = await patch(member.userId, operation)
    expect(answer).toMatchObject({ status: 200, body: { active: false } })
    expect(await statusWith(member.cookie)).toBe(401)
    expect((await portal.callAs(key.body.key)('GET', '/projects')).status).toBe(401)
    expect(await statusWith(elsewhere.cookie)).toBe(200)
    const read = await scim('GET', `/scim/v2/Users/${member.userId}`)
    expect(read.body.active).toBe(false)

    const again = await patch(member.userId, { op: 'replace', path: 'active', value: true })
    expect(again.body.active).toBe(true)
    expect(await statusWith(member.cookie)).toBe(401)
  })

  test('the last active admin stays', async () => {
    const first = await addMember(tenant, { role: 'admin' })
    const refused = scimError(409)
    const end = { op: 'replace', path: 'active', value: false }
    expect(await patch(first.userId, end)).toMatchObject(refused)
    expect(await scim('DELETE', `/scim/v2/Users/${first.userId}`)).toMatchObject(refused)
    expect(await statusWith(first.cookie)).toBe(200)
    const second = await addMember(tenant, { role: 'admin' })
    const both = await Promise.all([patch(first.userId, end), patch(second.userId, end)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('a removed member is signed out, and the record of the person goes', async () => {
    const member = await addMember(tenant)
    expect((await scim('DELETE', `/scim/v2/Users/${member.userId}`)).status).toBe(204)
    expect(await statusWith(member.cookie)).toBe(401)
    const { rows } = await portal.pool.query('SELECT FROM users WHERE id = $1', [member.userId])
    expect(rows).toEqual([])
  })

  test('what was done is written down', async () => {
    const { id } = await create()
    await patch(id, { op: 'replace', path: 'displayName', value: 'B' })
    await patch(id, { op: 'replace', path: 'displayName', value: 'B' })
    await patch(id, { op: 'replace', path: 'active', value: false })
    const { rows } = await portal.pool.query(
      'SELECT event FROM auth_audit_logs WHERE tenant_id = $1 AND user_id = $2 ORDER BY id',
      [tenant.tenantId, id],
    )
    expect(rows.map(({ event }) => event)).toEqual([
      'scim.user.create',
      'scim.user.update',
      'scim.user.deactivate',
    ])
  })
})

describe('people of other workspaces', () => {
  test('are not touched, unless their domain is proved', async () => {
    const member = await addMember(other)
    const refused = scimError(409)
    const post = { userName: member.email }
    expect(await scim('POST', '/scim/v2/Users', post)).toMatchObject(refused)
    await addMember(tenant, member)
    const path = `/scim/v2/Users/${member.userId}`
    expect((await scim('GET', path)).status).toBe(200)
    expect(await patch(member.userId, { op: 'replace', value: { active: false } })).toMatchObject(
      refused,
    )
    expect(await scim('PUT', path, { userName: 'x@y.example' })).toMatchObject(refused)
    expect(await scim('DELETE', path)).toMatchObject(refused)
    expect(await statusWith(member.cookie)).toBe(200)
  })

  test('of a proved domain become members, and keep what they have elsewhere', async () => {
    await proveDomain(tenant, 'corp.example')
    const email = newAddress('corp.example')
    const member = await addMember(other, { email })
    const { id } = await create({ userName: email })
    expect(id).toBe(member.userId)
    expect((await patch(id, { op: 'replace', value: { active: false } })).body.active).toBe(false)
    expect(await statusWith(member.cookie)).toBe(200)
    // The address is of the workspace's domain, and can't become one that is not.
    const elsewhere = { op: 'replace', path: 'userName', value: newAddress('evil.example') }
    expect(await patch(id, elsewhere)).toMatchObject(scimError(409))
  })

  test('row 16: who signed up with the address of somebody else loses what lets them in', async () => {
    await proveDomain(tenant, 'corp2.example')
    const email = newAddress('corp2.example')
    const stranger = await addMember(other, { email, verified: false })
    const { id } = await create({ userName: email })
    expect(id).toBe(stranger.userId)
    expect(await statusWith(stranger.cookie)).toBe(401)
    const { rows } = await portal.pool.query('SELECT password_hash FROM users WHERE id = $1', [id])
    expect(rows).toEqual([{ password_hash: null }])
  })
})

describe('the shape of answers', () => {
  test('what is sent wrongly is told in the words of SCIM', async () => {
    const { id } = await create()
    const path = `/scim/v2/Users/${id}`
    expect(await scim('GET', '/scim/v2/Nothing')).toMatchObject(scimError(404))
    expect(await scim('GET', '/scim/v2/Users/x')).toMatchObject(scimError(404))
    expect(await scim('GET', `/scim/v2/Users/${randomUUID()}`)).toMatchObject(scimError(404))
    for (const [method, url] of [
      ['POST', '/scim/v2/Schemas'],
      ['DELETE', '/scim/v2/ServiceProviderConfig'],
      ['PUT', '/scim/v2/ResourceTypes'],
      ['PATCH', '/scim/v2/Users'],
      ['POST', '/scim/v2/Groups'],
    ] as const) {
      const answer = await scim(method, url, {})
      expect(answer).toMatchObject(scimError(405))
      expect(answer.headers.get('allow')).toMatch(/GET/)
    }
    const asText = { 'Content-Type': 'text/plain' }
    expect(await scim('POST', '/scim/v2/Users', '{}', asText)).toMatchObject(scimError(415))
    expect(await scim('POST', '/scim/v2/Users', '{')).toMatchObject(scimError(400))
    expect(await scim('POST', '/scim/v2/Users', '[]')).toMatchObject(scimError(400))
    expect(await scim('POST', '/scim/v2/Users', {})).toMatchObject(scimError(400, 'invalidValue'))
    const large = { userName: newAddress(), displayName: 'x'.repeat(64 * 1024) }
    expect(await scim('POST', '/scim/v2/Users', large)).toMatchObject(scimError(413))
    expect(await scim('POST', '/scim/v2/Users', { userName: 'no-address' })).toMatchObject(
      scimError(400, 'invalidValue'),
    )
    const nul = '{"userName":"a\\u0000@b.example"}'
    expect(await scim('POST', '/scim/v2/Users', nul)).toMatchObject(scimError(400))
    expect(await scim('PUT', path, '%E0%A4%A')).toMatchObject(scimError(400))
    expect(await scim('GET', '/scim/v2/Users/%E0%A4%A')).toMatchObject(scimError(400))
  })

  test('row 21: names that reach a prototype', async () => {
    const { id } = await create()
    const own = '{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1}}}]}'
    expect(await scim('PATCH', `/scim/v2/Users/${id}`, own)).toMatchObject(scimError(400))
    for (const path of ['__proto__.polluted', 'constructor.prototype.polluted']) {
      const refused = scimError(400, 'invalidPath')
      expect(await patch(id, { op: 'add', path, value: 1 })).toMatchObject(refused)
      expect(await patch(id, { op: 'add', value: { [path]: 1 } })).toMatchObject(refused)
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('what is served is told', async () => {
    const config = await scim('GET', '/scim/v2/ServiceProviderConfig')
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    const { body: types } = await scim('GET', '/scim/v2/ResourceTypes')
    expect(types.Resources).toMatchObject([{ id: 'User', endpoint: '/Users', schema: USER }])
    expect((await scim('GET', '/scim/v2/ResourceTypes/User')).body).toEqual(types.Resources[0])
    const { body: schemas } = await scim('GET', '/scim/v2/Schemas')
    expect(schemas.Resources[0].attributes.map(({ name }: Json) => name)).toEqual([
      'userName',
      'externalId',
      'displayName',
      'name',
      'emails',
      'active',
    ])
    const one = await scim('GET', `/scim/v2/Schemas/${encodeURIComponent(USER)}`)
    expect(one.body).toEqual(schemas.Resources[0])
    expect(await scim('GET', '/scim/v2/Schemas/x')).toMatchObject(scimError(404))
    expect((await scim('GET', '/scim/v2/Groups')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
  })
})

test('hostile bodies leave the event loop alone', async () => {
  const { id } = await create()
  const path = `/scim/v2/Users/${id}`
  const keys = (count: number, key: (n: number) => string): object =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [key(n), '']))
  const operations = (...list: object[]): string => JSON.stringify({ Operations: list })
  const long = 'a.'.repeat(250)
  const bodies = [
    `{"Operations":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    operations({ op: 'add', value: keys(3_000, (n) => `name.x${n}`) }),
    operations({ op: 'add', value: keys(90, (n) => `${long}${n}`) }),
    operations({ op: 'add', path: 'name', value: keys(5_000, (n) => `x${n}`) }),
    operations(...Array(100).fill({ op: 'add', path: `emails[${'type eq "a" and '.repeat(30)}]` })),
    operations(...Array(1_500).fill({ op: 'add', path: 'emails', value: 'a@b.example' })),
    operations({ op: 'replace', path: 'emails', value: Array(4_000).fill('a@b.example') }),
  ]
  for (const body of bodies) {
    const longest = await longestTurnMs(async () => {
      expect((await scim('PATCH', path, body)).status).toBeLessThan(500)
    })
    expect(longest).toBeLessThanOrEqual(25)
  }
  const filter = encodeURIComponent(`userName eq "${'\\"'.repeat(240)}"`)
  const longest = await longestTurnMs(async () => {
    expect((await scim('GET', `/scim/v2/Users?filter=${filter}`)).status).toBe(200)
  })
  expect(longest).toBeLessThanOrEqual(25)
})
