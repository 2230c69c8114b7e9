/**
 * An OpenID provider, asked with openid-client: code flow with PKCE, state and nonce, `iss` where
 * the provider sends it, and the ID token's signature, which the library leaves out in this flow
 * unless told otherwise.
 *
 * A provider's metadata and keys are kept for ten minutes, and that it could not be asked for ten
 * seconds: whoever opens our login page a thousand times makes one request of it.
 */
import { createHash } from 'node:crypto'
import { setNewest } from '@posthorn/async/bounded-map'
import * as oidc from 'openid-client'
import { entraSubject, entraTenantOf, isEntra } from './entra.ts'
import { type GuardedFetch, PROVIDER_TIMEOUT_MS } from './guarded-fetch.ts'
import {
  normalEmail,
  normalName,
  type PendingGrant,
  type ProviderClient,
  type SsoProfile,
} from './identity-provider.ts'

/** An issuer, and who we are there. */
export interface OidcIssuer {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface OidcClientDeps {
  fetch: GuardedFetch
  /** Whether a provider may be reached without TLS, as one on the operator's own machine. */
  mayBePlain: (issuer: string) => boolean
  /** Monotonic, in ms. */
  clock: () => number
}

const KEPT_MS = 10 * 60_000
const FAILURE_KEPT_MS = 10_000
/** Metadata and keys of each are some 20 KiB: 4 MB. */
const MAX_KEPT = 200

interface KeptConfiguration {
  reading: Promise<oidc.Configuration>
  until: number
}

/** What is known of providers, over all flows. */
export type OidcConfigurations = Map<string, KeptConfiguration>

export function createOidcClient(
  settings: OidcIssuer,
  deps: OidcClientDeps,
  kept: OidcConfigurations,
): ProviderClient {
  return {
    async begin(redirectUri, state, { nonce, verifier }) {
      const configuration = await configurationOf(settings, deps, kept)
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      // The provider's metadata names the address, and the browser would run a `javascript:` one.
      if (url.protocol !== 'https:' && !deps.mayBePlain(url.href)) {
        throw new Error(`the authorization endpoint is ${url.protocol}`)
      }
      return url
    },
    async finish(callback, state, pending) {
      const configuration = await configurationOf(settings, deps, kept)
      return await grant(configuration, settings.issuer, { callback, state, pending })
    },
  }
}

async function configurationOf(
  settings: OidcIssuer,
  deps: OidcClientDeps,
  kept: OidcConfigurations,
): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const key = createHash('sha256')
    .update(JSON.stringify([issuer, clientId, clientSecret]))
    .digest('base64')
  const known = kept.get(key)
  if (known !== undefined && deps.clock() < known.until) return await known.reading
  const reading = discover(settings, deps)
  const entry = { reading, until: deps.clock() + KEPT_MS }
  setNewest(kept, key, entry, MAX_KEPT)
  try {
    return await reading
  } catch (error) {
    entry.until = deps.clock() + FAILURE_KEPT_MS
    throw error
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OidcIssuer,
  { fetch, mayBePlain }: OidcClientDeps,
): Promise<oidc.Configuration> {
  const plain = mayBePlain(issuer) ? [oidc.allowInsecureRequests] : []
  return await oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    authenticationBy(clientSecret),
    {
      [oidc.customFetch]: fetch,
      timeout: PROVIDER_TIMEOUT_MS / 1_000,
      execute: [oidc.enableNonRepudiationChecks, ...plain],
    },
  )
}

/** By Basic, the standard's default, unless the provider says that it takes only the form. */
function authenticationBy(clientSecret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const takesBasic = methods === undefined || methods.includes('client_secret_basic')
    return (takesBasic ? basic : post)(server, client, body, headers)
  }
}

async function grant(
  configuration: oidc.Configuration,
  issuer: string,
  flow: { callback: URL; state: string; pending: PendingGrant },
): Promise<SsoProfile> {
  const { callback, state, pending } = flow
  const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: pending.nonce,
    pkceCodeVerifier: pending.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider sent no ID token')
  if (claims['email'] !== undefined || isEntra(issuer)) return profileOf(claims, issuer)
  if (configuration.serverMetadata().userinfo_endpoint === undefined) {
    return profileOf(claims, issuer)
  }
  // Many providers put the address only there.
  const info = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return profileOf({ ...info, ...claims }, issuer)
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

export function profileOf(claims: Claims, issuer: string): SsoProfile {
  const name = normalName(claims['name'])
  if (!isEntra(issuer)) {
    const email = normalEmail(claims['email'])
    return { issuer: claims.iss, subject: claims.sub, email, emailIs: said(claims), name }
  }
  // A tenant's user names are of domains that the tenant has shown to Microsoft to own.
  const email = normalEmail(claims['email']) ?? normalEmail(claims['preferred_username'])
  const emailIs = entraTenantOf(issuer) === null ? 'unverified' : 'unsaid'
  return { issuer: claims.iss, subject: entraSubject(claims, issuer), email, emailIs, name }
}

/** Some providers write the flag as a text. */
function said({ email_verified: flag }: Readonly<Record<string, unknown>>): SsoProfile['emailIs'] {
  if (flag === undefined || flag === null) return 'unsaid'
  return flag === true || flag === 'true' ? 'verified' : 'unverified'
}
