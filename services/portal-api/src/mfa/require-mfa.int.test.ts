import { expect, test } from '@jest/globals'
import { addPerson } from '../auth/auth.fixture.ts'
import { portal, usePortal } from '../portal.fixture.ts'
import { enableMfa } from './mfa.fixture.ts'

usePortal('for-all-tests')

test('where a second factor is wanted, a member without one may only set one up', async () => {
  const { browser, client } = await addPerson()
  expect((await browser.call('GET', '/api/v1/me/security')).body).toEqual({ requireMfa: false })
  const changed = await browser.call('PATCH', '/api/v1/me/security', { requireMfa: true })
  expect(changed).toMatchObject({ status: 200, body: { requireMfa: true } })
  const required = { status: 401, body: { code: 'MFA_REQUIRED' } }
  for (const path of ['/api/v1/endpoints', '/api/v1/team', '/api/v1/me', '/auth/passkeys']) {
    expect(await browser.call('GET', path)).toMatchObject(required)
  }
  expect(await browser.call('PATCH', '/api/v1/me/security', { requireMfa: false })).toMatchObject(
    required,
  )
  expect((await browser.call('GET', '/auth/session')).status).toBe(200)
  await enableMfa(browser)
  expect((await browser.call('GET', '/api/v1/endpoints')).status).toBe(200)
  expect(portal.changes).toContainEqual({ v: 1, tenantId: client.id, what: 'sessions' })
})

test('API keys go on', async () => {
  const { browser } = await addPerson()
  const scopes = ['endpoints:read']
  const { body } = await browser.call('POST', '/api/v1/api-keys', { name: 'k', scopes })
  await browser.call('PATCH', '/api/v1/me/security', { requireMfa: true })
  expect((await portal.callAs(body.key)('GET', '/endpoints')).status).toBe(200)
  expect((await portal.callAs(body.key)('PATCH', '/me/security', {})).status).toBe(403)
})
