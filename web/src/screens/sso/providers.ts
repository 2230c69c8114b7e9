/** What to do at each identity provider before a connection can be made. */
import { t } from '../../texts/t.ts'

export const PROVIDERS: readonly (readonly [id: string, name: string])[] = [
  ['okta', 'Okta'],
  ['entra', 'Microsoft Entra ID'],
  ['google', 'Google Workspace'],
  ['keycloak', 'Keycloak'],
  ['other', 'Other'],
]

export function stepsOf(provider: string, type: 'oidc' | 'saml'): string[] {
  const steps = STEPS[`${provider} ${type}`] ?? STEPS[`other ${type}`]
  return steps?.() ?? []
}

const metadataStep = () => t('Copy its metadata as XML into the field below.')
const clientStep = () => t('Copy the client’s ID and secret into the fields below.')

const STEPS: Readonly<Record<string, () => string[]>> = {
  'okta oidc': () => [
    t('In Okta: Applications → Create App Integration → OIDC, Web Application.'),
    clientStep(),
    t('The issuer is the address of your Okta, such as https://example.okta.com.'),
  ],
  'okta saml': () => [
    t('In Okta: Applications → Create App Integration → SAML 2.0.'),
    t('Enter any URLs for now; you get the right ones in the next step.'),
    metadataStep(),
  ],
  'entra oidc': () => [
    t('In Entra: App registrations → New registration, for accounts of this directory only.'),
    t('Token configuration → Add optional claim → ID → email.'),
    clientStep(),
    t('The issuer is https://login.microsoftonline.com/<tenant id>/v2.0, with your own tenant.'),
  ],
  'entra saml': () => [
    t('In Entra: Enterprise applications → New application → Create your own → SAML.'),
    metadataStep(),
  ],
  'google oidc': () => [
    t('In the Google Cloud console: Credentials → OAuth client ID → Web application, Internal.'),
    clientStep(),
    t('The issuer is https://accounts.google.com.'),
  ],
  'google saml': () => [
    t('In the Google Admin console: Apps → Add app → Add custom SAML app.'),
    metadataStep(),
  ],
  'keycloak oidc': () => [
    t('In Keycloak: Clients → Create client, OpenID Connect, with client authentication on.'),
    clientStep(),
    t('The issuer is https://<host>/realms/<realm>.'),
  ],
  'keycloak saml': () => [
    t('Open https://<host>/realms/<realm>/protocol/saml/descriptor.'),
    metadataStep(),
  ],
  'other oidc': () => [
    t('Make a confidential web client with the authorization code flow.'),
    clientStep(),
  ],
  'other saml': () => [
    t('Make an application for SAML 2.0 that signs its assertions.'),
    metadataStep(),
  ],
}
