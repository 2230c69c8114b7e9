/** Single sign-on with a Keycloak: by OIDC and by SAML, through its own login form. */
import type { Product } from '../e2e/posthorn.ts'
import { checkOidc } from './check-oidc.ts'
import { checkSaml } from './check-saml.ts'
import { countExpectations } from './expectations.ts'
import { realmOf } from './keycloak-realm.ts'
import { startKeycloak } from './keycloak-server.ts'
import type { PeerResult } from './peer-check.ts'
import { addSsoWorkspace } from './sso-workspace.ts'

/** The product must trust it (`SSO_TRUSTED_DOMAINS`): no TXT record proves it. */
export const KEYCLOAK_DOMAIN = 'keycloak.example'

const of = (name: string): string => `${name}@${KEYCLOAK_DOMAIN}`

export async function checkKeycloak(product: Product): Promise<PeerResult> {
  const start = performance.now()
  const keycloak = await startKeycloak()
  const startSeconds = Math.round((performance.now() - start) / 1_000)
  try {
    const people = [of('ada'), of('grace'), of('victim')].map((email) => ({
      email,
      verified: true,
    }))
    const unverified = of('mallory')
    await keycloak.create('', realmOf([...people, { email: unverified, verified: false }]))
    const both = { workspace: await addSsoWorkspace(product), keycloak }
    const expect = countExpectations()
    const oidcMs = await checkOidc({ ...both, email: of('ada'), unverified }, expect)
    const samlMs = await checkSaml({ ...both, email: of('grace'), victim: of('victim') }, expect)
    const { failures } = expect
    const figures =
      `${expect.passed()} passed, ${failures.length} failed; a sign-in takes ${oidcMs} ms by OIDC ` +
      `and ${samlMs} ms by SAML; Keycloak starts in ${startSeconds} s`
    return { ok: expect.passed() > 0 && failures.length === 0, figures, findings: failures }
  } finally {
    await keycloak.stop()
  }
}
