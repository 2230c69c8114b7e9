/** The users of SCIM: made, read, replaced, removed, listed and found. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { type Json, portal, tenant } from '../portal.fixture.ts'
import {
  addMember,
  create,
  ERROR,
  newAddress,
  proveDomain,
  scim,
  type ScimAnswer,
  scimError,
  USER,
  useScim,
} from './scim.fixture.ts'

useScim()

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
