/**
 * Passkeys in a real browser: Chromium with its virtual authenticator, which holds the key and
 * gives the finger. The pages are empty ones of the product's own origin.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@posthorn/local-stores/free-port'
import { type Posthorn, startPosthorn } from './posthorn.ts'
import { type Browser, joinBrowser } from './products/join-browser.ts'

type Page = Awaited<ReturnType<Browser['newPage']>>

const EMAIL = `${randomUUID()}@example.com`
const PASSWORD = 'correct horse battery'

let posthorn: Posthorn
let browser: Browser
let origin: string

beforeAll(async () => {
  const port = await freePort()
  // Browsers take no address of numbers for the name of a site.
  origin = `http://localhost:${port}`
  posthorn = await startPosthorn('standalone', { PORT: String(port), PUBLIC_URL: origin })
  browser = await joinBrowser()
}, 450_000)

afterAll(async () => {
  await browser?.close()
  await posthorn?.stop()
}, 60_000)

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.route('**/empty-page', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Test</title>' }),
  )
  await page.goto(`${origin}/empty-page`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

interface PageAnswer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer's shape is what is tested
  body: any
}

/** Sends a request as a script of the page would. */
async function call(page: Page, method: string, path: string, body?: unknown): Promise<PageAnswer> {
  return await page.evaluate(
    async (request) => {
      const answer = await fetch(request.path, {
        method: request.method,
        ...(request.body === undefined
          ? {}
          : { headers: { 'Content-Type': 'application/json' }, body: request.body }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
    },
    { method, path, body: body === undefined ? undefined : JSON.stringify(body) },
  )
}

/** What the browser's own functions make of our options, and what they send back. */
async function ceremony(page: Page, what: 'create' | 'get', options: object): Promise<unknown> {
  const script = `(async () => {
    const options = ${JSON.stringify(options)}
    const publicKey = ${
      what === 'create'
        ? 'PublicKeyCredential.parseCreationOptionsFromJSON(options)'
        : 'PublicKeyCredential.parseRequestOptionsFromJSON(options)'
    }
    return (await navigator.credentials.${what}({ publicKey })).toJSON()
  })()`
  return await page.evaluate(script)
}

test('a passkey is made, signs in without a password, once a signature', async () => {
  const page = await openPage()
  const signUp = { email: EMAIL, password: PASSWORD, companyName: 'Widgets' }
  expect((await call(page, 'POST', '/auth/signup', signUp)).status).toBe(201)
  const login = { email: EMAIL, password: PASSWORD }
  expect((await call(page, 'POST', '/auth/login', login)).status).toBe(200)

  const creation = await call(page, 'POST', '/auth/passkeys/options')
  const made = await ceremony(page, 'create', creation.body)
  const registration = { name: 'Chromium', response: made }
  const added = await call(page, 'POST', '/auth/passkeys', registration)
  expect(added).toMatchObject({ status: 201, body: { name: 'Chromium' } })
  expect((await call(page, 'POST', '/auth/passkeys', registration)).body.code).toBe('INVALID_TOKEN')

  expect((await call(page, 'DELETE', '/auth/session')).status).toBe(204)
  expect((await call(page, 'GET', '/auth/session')).status).toBe(401)
  const request = await call(page, 'POST', '/auth/passkeys/login/options')
  const response = await ceremony(page, 'get', request.body)
  const signedIn = await call(page, 'POST', '/auth/passkeys/login', { response })
  expect(signedIn).toMatchObject({ status: 200, body: { user: { email: EMAIL }, role: 'admin' } })
  expect((await call(page, 'GET', '/auth/session')).body.user.email).toBe(EMAIL)
  expect((await call(page, 'POST', '/auth/passkeys/login', { response })).status).toBe(401)
})

test('an authenticator without a passkey of this site signs nobody in', async () => {
  const page = await openPage()
  const request = await call(page, 'POST', '/auth/passkeys/login/options')
  const stranger = { ...request.body, timeout: 1_000 }
  await expect(ceremony(page, 'get', stranger)).rejects.toThrow(/NotAllowedError/)
})
