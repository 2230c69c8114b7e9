/** The handlers of SCIM. */
import type { PortalApiConfig, PortalApiDeps } from '../portal-api-deps.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { createScimDiscovery } from './discovery.ts'
import { createReadScimUsers } from './read-users.ts'
import { createSaveScimUser } from './save-user.ts'
import { createScimTokens } from './scim-tokens.ts'

export function createScimHandlers(
  { publicUrl }: Pick<PortalApiConfig, 'publicUrl'>,
  deps: Pick<PortalApiDeps, 'database' | 'now'> & { announceChange: AnnounceChange },
) {
  return {
    ...createScimDiscovery(publicUrl),
    ...createReadScimUsers(publicUrl, deps),
    ...createSaveScimUser(publicUrl, deps),
    ...createScimTokens(deps),
  }
}
