/** What SCIM does to people's access: deactivation, and people who are elsewhere too. */
import { describe, expect, test } from '@jest/globals'
import { other, portal, tenant } from '../portal.fixture.ts'
import {
  addMember,
  create,
  newAddress,
  patch,
  proveDomain,
  scim,
  scimError,
  statusWith,
  useScim,
} from './scim.fixture.ts'

useScim()

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
