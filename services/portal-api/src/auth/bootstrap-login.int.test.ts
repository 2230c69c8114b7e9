import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newApiKey } from '@posthorn/domain/api-key'
import { bootstrap } from '@posthorn/store/bootstrap'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startTestPortal, type TestPortal } from '../portal.fixture.ts'

let started: TestPortal

beforeAll(async () => {
  started = await startTestPortal(await createTestDatabase())
  const admin = { email: 'Root@Example.com', password: 'Ame\u0301lie of the first' }
  const first = { apiKey: newApiKey('production'), plan: 'self_hosted', admin }
  await bootstrap(started.pool, started.seal, first)
})
afterAll(async () => await started.close())

async function logIn(email: string, password: string): Promise<Response> {
  return await fetch(`${started.url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ email, password }),
  })
}

test('the admin of the settings signs in, with an address that counts as verified', async () => {
  const answer = await logIn('root@example.com', 'Am\u00e9lie of the first')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    user: { email: 'Root@Example.com', emailVerified: true },
    client: { name: 'Default' },
    role: 'admin',
  })
  expect((await logIn('root@example.com', 'Amelie of the first')).status).toBe(401)
})
