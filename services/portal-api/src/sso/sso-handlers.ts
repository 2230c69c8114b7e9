/** The handlers of single sign-on, without SAML's own. */
import type { Handlers } from '@posthorn/http/handlers'
import { createCompleteSsoSignIn } from './complete-sign-in.ts'
import { createDiscover } from './discover.ts'
import { createDomains, type ResolveTxt } from './domains.ts'
import { createListProviders } from './list-providers.ts'
import { createFindOpenConnection } from './open-connections.ts'
import { createReadConnections } from './read-connections.ts'
import { createSaveConnection, type SaveConnectionDeps } from './save-connection.ts'
import { createSsoSignIn } from './sign-in.ts'
import type { SsoConfig, SsoDeps } from './sso-deps.ts'

export interface SsoHandlerDeps extends SsoDeps, SaveConnectionDeps {
  seal: SsoDeps['seal']
  resolveTxt: ResolveTxt
  announceChange: (tenantId: string) => void
}

type SsoHandlerNames =
  | 'listSsoProviders'
  | 'discoverSso'
  | 'startSsoLogin'
  | 'finishSsoLogin'
  | 'listSsoConnections'
  | 'createSsoConnection'
  | 'getSsoConnection'
  | 'updateSsoConnection'
  | 'deleteSsoConnection'
  | 'listSsoDomains'
  | 'createSsoDomain'
  | 'verifySsoDomain'
  | 'deleteSsoDomain'

export function createSsoHandlers(
  config: SsoConfig,
  deps: SsoHandlerDeps,
): Pick<Handlers<'portal-api'>, SsoHandlerNames> {
  return {
    listSsoProviders: createListProviders(config),
    discoverSso: createDiscover(config, deps),
    ...createSsoSignIn(config, {
      ...deps,
      findOpenConnection: createFindOpenConnection(config, deps),
      complete: createCompleteSsoSignIn(config, deps),
    }),
    ...createReadConnections(config, deps),
    ...createSaveConnection(config, deps),
    ...createDomains(config, deps),
  }
}
