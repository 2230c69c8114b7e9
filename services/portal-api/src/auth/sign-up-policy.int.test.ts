import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startTestPortal, type TestPortal } from '../portal.fixture.ts'
import { createMailLimits } from './mail-limits.ts'
import { createPasswords } from './passwords.ts'
import { createSignUp, type SignUpPolicy } from './sign-up.ts'

let started: TestPortal
beforeAll(async () => {
  started = await startTestPortal(await createTestDatabase())
})
const passwords = createPasswords()
afterAll(async () => {
  await passwords.close()
  await started.close()
})

async function signUp(policy: SignUpPolicy, email: string): Promise<unknown> {
  const { signUp: handle } = createSignUp(
    { signUp: policy, defaultPlan: 'free' },
    {
      database: started.database,
      seal: started.seal,
      passwords,
      mailLimits: createMailLimits(createInProcessState()),
      now: Date.now,
    },
  )
  const body = { email, password: 'correct horse battery', companyName: 'Widgets' }
  return await handle({ body, clientIp: '192.0.2.1', header: () => undefined } as never)
}

const FORBIDDEN = { code: 'FORBIDDEN' }

test('closed: nobody signs up', async () => {
  await expect(signUp('closed', 'a@example.com')).rejects.toMatchObject(FORBIDDEN)
})

test('first: of two at once one does, and nobody after them', async () => {
  const both = await Promise.allSettled([
    signUp('first', 'a@example.com'),
    signUp('first', 'b@example.com'),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  for (const email of ['a@example.com', 'c@example.com']) {
    await expect(signUp('first', email)).rejects.toMatchObject(FORBIDDEN)
  }
  const { rows } = await started.pool.query('SELECT plan FROM tenants')
  expect(rows).toEqual([{ plan: 'free' }])
  expect(await signUp('open', 'c@example.com')).toMatchObject({ verificationSent: true })
})
