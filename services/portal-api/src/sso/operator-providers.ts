/** The identity providers that the operator has set up for everybody, from the settings. */
import type { PlanName } from '@posthorn/domain/plans'
import { GITHUB } from './github-client.ts'
import type { OperatorProvider, SsoSettings } from './sso-deps.ts'

export interface OperatorSettings {
  OAUTH_GOOGLE_CLIENT_ID?: string | undefined
  OAUTH_GOOGLE_CLIENT_SECRET?: string | undefined
  OAUTH_GITHUB_CLIENT_ID?: string | undefined
  OAUTH_GITHUB_CLIENT_SECRET?: string | undefined
  OAUTH_GITHUB_URL?: string | undefined
  OAUTH_MICROSOFT_CLIENT_ID?: string | undefined
  OAUTH_MICROSOFT_CLIENT_SECRET?: string | undefined
  OAUTH_MICROSOFT_TENANT: string
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
  OIDC_NAME: string
  SSO_TRUSTED_DOMAINS: readonly string[]
  DEFAULT_PLAN: PlanName
  BRAND: string
}

/** @throws when only some of the settings of a provider are given */
export function ssoSettings(settings: OperatorSettings, version: string): SsoSettings {
  return {
    defaultPlan: settings.DEFAULT_PLAN,
    providers: operatorProviders(settings),
    trustedDomains: settings.SSO_TRUSTED_DOMAINS,
    userAgent: `${settings.BRAND}/${version}`,
  }
}

function operatorProviders(settings: OperatorSettings): OperatorProvider[] {
  const google = group(settings, ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'])
  const github = group(settings, ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'])
  const microsoft = group(settings, ['OAUTH_MICROSOFT_CLIENT_ID', 'OAUTH_MICROSOFT_CLIENT_SECRET'])
  const own = group(settings, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'])
  const found: OperatorProvider[] = []
  if (google !== null) {
    const [clientId, clientSecret] = google as [string, string]
    const issuer = 'https://accounts.google.com'
    found.push({ id: 'google', name: 'Google', kind: 'oidc', issuer, clientId, clientSecret })
  }
  if (microsoft !== null) {
    const [clientId, clientSecret] = microsoft as [string, string]
    const issuer = `https://login.microsoftonline.com/${settings.OAUTH_MICROSOFT_TENANT}/v2.0`
    found.push({ id: 'microsoft', name: 'Microsoft', kind: 'oidc', issuer, clientId, clientSecret })
  }
  if (github !== null) {
    const [clientId, clientSecret] = github as [string, string]
    const at = githubAt(settings.OAUTH_GITHUB_URL)
    found.push({ id: 'github', name: 'GitHub', kind: 'github', ...at, clientId, clientSecret })
  }
  if (own !== null) {
    const [clientId, clientSecret, issuer] = own as [string, string, string]
    const name = settings.OIDC_NAME
    found.push({ id: 'oidc', name, kind: 'oidc', issuer, clientId, clientSecret })
  }
  return found
}

function githubAt(url: string | undefined): { webUrl: string; apiUrl: string } {
  if (url === undefined) return GITHUB
  const webUrl = url.replace(/\/+$/, '')
  return { webUrl, apiUrl: `${webUrl}/api/v3` }
}

type SettingName = {
  [Name in keyof OperatorSettings]-?: string extends NonNullable<OperatorSettings[Name]>
    ? Name
    : never
}[keyof OperatorSettings]

/** The values of settings that go together; null: none of them is set. */
function group(settings: OperatorSettings, names: readonly SettingName[]): string[] | null {
  const values = names.map((name) => settings[name])
  const given = values.filter((value) => value !== undefined)
  if (given.length === 0) return null
  if (given.length === values.length) return given
  const missing = names.filter((name) => settings[name] === undefined)
  throw new Error(`Set ${missing.join(', ')} too: ${names.join(', ')} go together.`)
}
