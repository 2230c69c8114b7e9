/**
 * GitHub: OAuth without OpenID. Who came is read from its API, by the number of the account, which
 * stays when the account is renamed; the address is the primary one, if GitHub has verified it.
 */
import * as oauth from 'openid-client'
import type { GuardedFetch } from './guarded-fetch.ts'
import {
  normalEmail,
  normalName,
  type ProviderClient,
  type SsoProfile,
} from './identity-provider.ts'

export interface GithubSettings {
  clientId: string
  clientSecret: string
  /** Where its pages and its API are. */
  webUrl: string
  apiUrl: string
}

export const GITHUB = { webUrl: 'https://github.com', apiUrl: 'https://api.github.com' } as const

export function createGithubClient(
  settings: GithubSettings,
  deps: { fetch: GuardedFetch; mayBePlain: (url: string) => boolean },
): ProviderClient {
  const { webUrl, apiUrl, clientId, clientSecret } = settings
  const configuration = new oauth.Configuration(
    {
      issuer: webUrl,
      authorization_endpoint: `${webUrl}/login/oauth/authorize`,
      token_endpoint: `${webUrl}/login/oauth/access_token`,
    },
    clientId,
    undefined,
    oauth.ClientSecretPost(clientSecret),
  )
  configuration[oauth.customFetch] = deps.fetch
  if (deps.mayBePlain(webUrl)) oauth.allowInsecureRequests(configuration)

  async function read(accessToken: string, path: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const url = new URL(`${apiUrl}${path}`)
    const response = await oauth.fetchProtectedResource(
      configuration,
      accessToken,
      url,
      'GET',
      null,
      headers,
    )
    if (response.status !== 200) throw new Error(`${url.host} answered ${response.status}`)
    return await response.json()
  }

  return {
    async begin(redirectUri, state, { verifier }) {
      return oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish(callback, state, { verifier }) {
      const tokens = await oauth.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      const user = await read(tokens.access_token, '/user')
      const emails = await read(tokens.access_token, '/user/emails')
      return githubProfile(webUrl, user, emails)
    },
  }
}

/** @throws when the answers name nobody */
export function githubProfile(issuer: string, user: unknown, emails: unknown): SsoProfile {
  const { id, name } = (user ?? {}) as { id?: unknown; name?: unknown }
  if (!Number.isSafeInteger(id)) throw new Error('GitHub named no account')
  const list = Array.isArray(emails) ? (emails as (Record<string, unknown> | null)[]) : []
  const primary = list.find((entry) => entry?.['primary'] === true)
  return {
    issuer,
    subject: String(id),
    email: normalEmail(primary?.['email']),
    emailIs: primary?.['verified'] === true ? 'verified' : 'unverified',
    name: normalName(name),
  }
}
