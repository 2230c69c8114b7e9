/** The tokens of SCIM, the shape of its answers, and what hostile requests can do. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import { type Json, other, portal, tenant } from '../portal.fixture.ts'
import {
  create,
  newAddress,
  patch,
  scim,
  scimError,
  scimOf,
  scimWith,
  USER,
  useScim,
} from './scim.fixture.ts'

useScim()

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
  const isQuick = (ms: number): boolean => ms <= 25
  for (const body of bodies) {
    const longest = await shortestOfLongestTurnsMs(3, isQuick, async () => {
      expect((await scim('PATCH', path, body)).status).toBeLessThan(500)
    })
    expect(longest).toBeLessThanOrEqual(25)
  }
  const filter = encodeURIComponent(`userName eq "${'\\"'.repeat(240)}"`)
  const longest = await shortestOfLongestTurnsMs(3, isQuick, async () => {
    expect((await scim('GET', `/scim/v2/Users?filter=${filter}`)).status).toBe(200)
  })
  expect(longest).toBeLessThanOrEqual(25)
})
