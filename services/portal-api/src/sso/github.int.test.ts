import { afterAll, afterEach, expect, test } from '@jest/globals'
import { PUBLIC_URL } from '../portal.fixture.ts'
import { type GithubStub, startGithubStub } from './github-stub.fixture.ts'
import { loginErrorPath } from './return-path.ts'
import { addPerson, browser, newEmail, signedInAs, useSso } from './sso.fixture.ts'

let github: GithubStub
useSso(async () => {
  github = await startGithubStub()
  const [clientId, clientSecret] = ['an-id', 'a-secret']
  const at = { webUrl: github.url, apiUrl: `${github.url}/api/v3` }
  return [{ id: 'github', name: 'GitHub', kind: 'github', ...at, clientId, clientSecret }]
})
afterEach(() => {
  github.refusesCodes = false
})
afterAll(async () => await github.close())

const LOGIN = '/auth/sso/github/login'
const endsAt = (path: string): URL => new URL(path, PUBLIC_URL)

test('the verified primary address tells who comes, and later the number of the account', async () => {
  const person = await addPerson()
  github.account = { id: 4711, name: 'Ann' }
  github.emails = [
    { email: newEmail(), primary: false, verified: true },
    { email: person.email.toUpperCase(), primary: true, verified: true },
  ]
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt('/'))
  expect(await signedInAs(one)).toMatchObject({ userId: person.id })
  const form = Object.fromEntries(github.forms.at(-1) as URLSearchParams)
  expect(form).toMatchObject({
    client_id: 'an-id',
    client_secret: 'a-secret',
    code: 'a-code',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: `${PUBLIC_URL}/auth/sso/github/callback`,
  })
  github.emails = []
  const again = browser()
  await again.go(LOGIN)
  expect(await signedInAs(again)).toMatchObject({ userId: person.id })
})

test.each<[string, (email: string) => unknown, string]>([
  [
    'that is not verified',
    (email) => [{ email, primary: true, verified: false }],
    'email_not_verified',
  ],
  [
    'that is not the primary one',
    (email) => [{ email, primary: false, verified: true }],
    'email_missing',
  ],
  ['that is missing', () => [], 'email_missing'],
  ['that is no list', () => ({ message: 'Not Found' }), 'email_missing'],
])('15: an address %s links nobody', async (_name, emails, code) => {
  const person = await addPerson()
  github.account = { id: Math.floor(Date.now() * 1_000) }
  github.emails = emails(person.email)
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt(loginErrorPath(code)))
  expect(await signedInAs(one)).toBeNull()
})

test.each<[string, () => void]>([
  ['an error as 200', () => (github.refusesCodes = true)],
  ['an account without a number', () => (github.account = { id: '7' })],
])('%s is refused', async (_name, change) => {
  const person = await addPerson()
  github.account = { id: 99 }
  github.emails = [{ email: person.email, primary: true, verified: true }]
  change()
  const one = browser()
  expect(await one.go(LOGIN)).toEqual(endsAt(loginErrorPath('provider_error')))
  expect(await signedInAs(one)).toBeNull()
})

test("a state that is another's, or none, is refused", async () => {
  const person = await addPerson()
  github.account = { id: 98 }
  github.emails = [{ email: person.email, primary: true, verified: true }]
  for (const state of [null, 'a'.repeat(43)]) {
    const one = browser()
    const callback = await one.goToCallback(LOGIN)
    if (state === null) callback.searchParams.delete('state')
    else callback.searchParams.set('state', state)
    expect(await one.go(callback.href)).toEqual(endsAt(loginErrorPath('flow_expired')))
    expect(await signedInAs(one)).toBeNull()
  }
})
