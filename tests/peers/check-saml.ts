/** Sign-in by SAML: a Keycloak as the provider of a workspace's own connection. */
import type { Expectations } from './expectations.ts'
import { type FormBrowser, formOf, type HtmlForm, openFormBrowser } from './form-browser.ts'
import { REALM, samlClient } from './keycloak-realm.ts'
import type { Keycloak } from './keycloak-server.ts'
import { errorOf, fillInLogin, medianMs, must, type SsoWorkspace } from './sso-workspace.ts'

interface SamlCase {
  workspace: SsoWorkspace
  keycloak: Keycloak
  /** Somebody at Keycloak. */
  email: string
  /** Somebody else there, whom the attacks name. */
  victim: string
}

/** @returns the milliseconds of a sign-in */
export async function checkSaml(
  { workspace, keycloak, email, victim }: SamlCase,
  expect: Expectations,
): Promise<number> {
  const loginUrl = await connect(workspace, keycloak)
  const open = (): FormBrowser => openFormBrowser(keycloak.proxy)
  /** What Keycloak's last page has the browser post to us. */
  const answer = async (browser: FormBrowser): Promise<HtmlForm> =>
    formOf(await fillInLogin(browser, { loginUrl, email }))
  const nobodyBy = async (what: string, error: string, form: HtmlForm, browser: FormBrowser) => {
    const end = await browser.submit(form, {})
    expect.equal(`SAML, ${what}: our login page`, errorOf(end), error)
    expect.equal(`SAML, ${what}: no session`, await workspace.signedInAs(browser), null)
  }

  const first = open()
  const form = await answer(first)
  await first.submit(form, {})
  expect.equal('SAML: a session', await workspace.signedInAs(first), email)
  const joined = { role: 'viewer', source: 'sso' }
  expect.equal('SAML: joined just in time', await workspace.memberOf(email), joined)
  await nobodyBy('the same response again', 'flow_expired', form, open())

  const second = open()
  const { fields } = await answer(second)
  const response = form.fields['SAMLResponse'] ?? ''
  const moved = { ...form, fields: { ...fields, SAMLResponse: response } }
  await nobodyBy('a used response with a new state', 'provider_error', moved, second)

  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    const browser = open()
    const good = await answer(browser)
    const xml = Buffer.from(good.fields['SAMLResponse'] ?? '', 'base64').toString()
    const bad = tamper(xml, email, victim)
    expect.equal(`SAML, ${what}: it changes the response`, bad !== xml, true)
    const SAMLResponse = Buffer.from(bad).toString('base64')
    const tampered = { ...good, fields: { ...good.fields, SAMLResponse } }
    await nobodyBy(what, 'provider_error', tampered, browser)
  }
  expect.equal('SAML, tampered: no member', await workspace.memberOf(victim), undefined)

  const ms = await medianMs(async () => {
    const browser = open()
    return await browser.submit(await answer(browser), {})
  })
  expect.equal('SAML: still one member', await workspace.memberOf(email), joined)
  return ms
}

const TAMPERINGS: Record<string, (xml: string, email: string, victim: string) => string> = {
  'another NameID': (xml, email, victim) => xml.replaceAll(email, victim),
  'no signature': (xml) => xml.replaceAll(/<(\w+:)?Signature\b[\s\S]*?<\/\1?Signature>/g, ''),
  'another audience': (xml) => xml.replace(/(<(?:\w+:)?Audience>)[^<]*/, '$1https://evil.example'),
}

/** @returns where a sign-in begins */
async function connect({ call }: SsoWorkspace, keycloak: Keycloak): Promise<string> {
  const { origin } = keycloak.proxy
  const metadata = await openFormBrowser(keycloak.proxy).go(
    `${origin}/realms/${REALM}/protocol/saml/descriptor`,
  )
  const made = await call('POST', '/api/v1/sso/connections', {
    type: 'saml',
    name: 'Keycloak by SAML',
    defaultRole: 'viewer',
    idpMetadata: metadata.text,
  })
  const { loginUrl, saml } = must(201, made).body
  await keycloak.create(`/${REALM}/clients`, samlClient(saml))
  return loginUrl
}
