/**
 * The connections by OAuth and OIDC, ready to sign in with: those of the operator by their names,
 * those of workspaces by their ids.
 */
import { createGithubClient } from './github-client.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import type { ProviderClient } from './identity-provider.ts'
import { findConnection } from './find-connections.ts'
import { clientSecretPlace, type StoredOidc } from './connection-record.ts'
import {
  createOidcClient,
  type OidcClientDeps,
  type OidcConfigurations,
} from './oidc-provider-client.ts'
import type { OpenConnection, OperatorProvider, SsoConfig, SsoDeps } from './sso-deps.ts'

/** null: there is none, it is switched off, or it is one by SAML. */
export type FindOpenConnection = (provider: string) => Promise<OpenConnection | null>

type OpenConfig = Pick<SsoConfig, 'providers' | 'defaultPlan' | 'userAgent'>
type OpenDeps = Pick<SsoDeps, 'database' | 'seal' | 'send' | 'mayBePlain' | 'clock'>

export function createFindOpenConnection(config: OpenConfig, deps: OpenDeps): FindOpenConnection {
  const configurations: OidcConfigurations = new Map()
  const { mayBePlain, clock } = deps
  const clientDeps = (owner?: string): OidcClientDeps => ({
    fetch: createGuardedFetch(deps.send, { owner, userAgent: config.userAgent }),
    mayBePlain,
    clock,
  })
  const operators = new Map(
    config.providers.map((provider): [string, OpenConnection] => {
      const client = operatorClient(provider, clientDeps(), configurations)
      return [provider.id, { key: provider.id, tenantId: null, defaultRole: 'viewer', client }]
    }),
  )

  return async (provider) => {
    const operator = operators.get(provider)
    if (operator !== undefined) return operator
    const row = await findConnection(deps.database, provider, config.defaultPlan)
    if (row === null || row.type !== 'oidc' || row.clientSecret === null) return null
    const { issuer, clientId } = row.config as unknown as StoredOidc
    const clientSecret = deps.seal.open(row.clientSecret, clientSecretPlace(row))
    const { id: key, tenantId, defaultRole } = row
    const settings = { issuer, clientId, clientSecret }
    const client = createOidcClient(settings, clientDeps(tenantId), configurations)
    return { key, tenantId, defaultRole, client }
  }
}

function operatorClient(
  provider: OperatorProvider,
  deps: OidcClientDeps & { fetch: GuardedFetch },
  configurations: OidcConfigurations,
): ProviderClient {
  if (provider.kind === 'github') return createGithubClient(provider, deps)
  return createOidcClient(provider, deps, configurations)
}
