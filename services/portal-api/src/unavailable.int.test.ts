import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startTestPortal, type Tenant, type TestPortal } from './portal.fixture.ts'

// Port 1: nobody listens there.
let portal: TestPortal
let tenant: Tenant
beforeAll(async () => {
  portal = await startTestPortal(await createTestDatabase(), 'postgresql://nobody@127.0.0.1:1/none')
  tenant = await portal.addTenant()
})
afterAll(async () => await portal.close())

test.each([
  ['a read', 'GET', '/endpoints', undefined],
  ['a transaction', 'POST', '/endpoints', { url: 'https://a.example/', eventTypes: ['*'] }],
  ['a statement of our own', 'POST', '/signing-secret/rotate', {}],
])('%s answers 503 when Postgres is gone', async (_name, method, path, body) => {
  const answer = await tenant.call(method, path, body)
  expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect(answer.headers.get('retry-after')).toBe('1')
})
