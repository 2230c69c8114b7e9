/** Sign-in by OIDC: a Keycloak as the provider of a workspace's own connection. */
import { randomBytes } from 'node:crypto'
import type { Expectations } from './expectations.ts'
import { type FormBrowser, openFormBrowser, type Visit } from './form-browser.ts'
import { oidcClient, REALM } from './keycloak-realm.ts'
import type { Keycloak } from './keycloak-server.ts'
import { errorOf, fillInLogin, medianMs, must, type SsoWorkspace } from './sso-workspace.ts'

interface OidcCase {
  workspace: SsoWorkspace
  keycloak: Keycloak
  /** At Keycloak; its address is verified there. */
  email: string
  /** Another person's, which is not. */
  unverified: string
}

const isCallback = ({ pathname }: URL): boolean => pathname.endsWith('/callback')

/** @returns the milliseconds of a sign-in */
export async function checkOidc(
  { workspace, keycloak, email, unverified }: OidcCase,
  expect: Expectations,
): Promise<number> {
  const { loginUrl, callbackUrl } = await connect(workspace, keycloak)
  const { origin } = new URL(callbackUrl)
  const signIn = async (browser: FormBrowser, until?: (url: URL) => boolean): Promise<Visit> =>
    await fillInLogin(browser, { loginUrl, email }, until)
  const nobodyBy = async (what: string, error: string, browser: FormBrowser, at: string) => {
    expect.equal(`OIDC, ${what}: our login page`, errorOf(await browser.go(at)), error)
    expect.equal(`OIDC, ${what}: no session`, await workspace.signedInAs(browser), null)
  }

  const first = openFormBrowser()
  const { url: callback } = await signIn(first, isCallback)
  const flow = new Map(first.cookiesOf(origin))
  await nobodyBy('callback in another browser', 'flow_expired', openFormBrowser(), callback.href)
  await first.go(callback.href)
  expect.equal('OIDC: a session', await workspace.signedInAs(first), email)
  const joined = { role: 'editor', source: 'sso' }
  expect.equal('OIDC: joined just in time', await workspace.memberOf(email), joined)

  const repeated = openFormBrowser()
  for (const [name, value] of flow) repeated.cookiesOf(origin).set(name, value)
  await nobodyBy('the same state again', 'flow_expired', repeated, callback.href)
  const second = openFormBrowser()
  const { url: usedCode } = await signIn(second, isCallback)
  usedCode.searchParams.set('code', callback.searchParams.get('code') ?? '')
  await nobodyBy('a used code with a new state', 'provider_error', second, usedCode.href)
  const third = openFormBrowser()
  const { url: mixedUp } = await signIn(third, isCallback)
  mixedUp.searchParams.set('iss', `${keycloak.url}/realms/master`)
  await nobodyBy('iss of another realm', 'provider_error', third, mixedUp.href)

  const fourth = openFormBrowser()
  const refused = await fillInLogin(fourth, { loginUrl, email: unverified })
  expect.equal('OIDC, unverified: our login page', errorOf(refused), 'email_not_verified')
  expect.equal('OIDC, unverified: no session', await workspace.signedInAs(fourth), null)
  expect.equal('OIDC, unverified: no member', await workspace.memberOf(unverified), undefined)

  const ms = await medianMs(async () => await signIn(openFormBrowser()))
  expect.equal('OIDC: still one member', await workspace.memberOf(email), joined)
  return ms
}

async function connect(
  { call }: SsoWorkspace,
  keycloak: Keycloak,
): Promise<{ loginUrl: string; callbackUrl: string }> {
  const clientId = 'posthorn'
  const secret = randomBytes(16).toString('hex')
  const issuer = `${keycloak.url}/realms/${REALM}`
  const made = await call('POST', '/api/v1/sso/connections', {
    type: 'oidc',
    name: 'Keycloak by OIDC',
    defaultRole: 'editor',
    oidc: { issuer, clientId, clientSecret: secret },
  })
  const { loginUrl, oidc } = must(201, made).body
  await keycloak.create(
    `/${REALM}/clients`,
    oidcClient({ clientId, secret, callbackUrl: oidc.callbackUrl }),
  )
  return { loginUrl, callbackUrl: oidc.callbackUrl }
}
