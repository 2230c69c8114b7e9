/** The routes of sub-accounts, of their sessions, and the session that their portal has. */
import type { PageFiles } from '../pages/page-files.ts'
import { createPortalSession } from '../portal/exchange-token.ts'
import { createPortalPage } from '../portal/portal-page.ts'
import type { PortalApiConfig, PortalApiDeps } from '../portal-api-deps.ts'
import { createManageSessions } from './manage-sessions.ts'
import { createMintSession } from './mint-session.ts'
import { createReadSubAccounts } from './read-sub-accounts.ts'
import { createSaveSubAccount, type SaveSubAccountDeps } from './save-sub-account.ts'
import { createSubAccountSettings } from './sub-account-settings.ts'

type SubAccountDeps = Pick<
  PortalApiDeps,
  'database' | 'pool' | 'portal' | 'seal' | 'takeToken' | 'now'
> &
  Pick<SaveSubAccountDeps, 'announceChange'> & { pageFiles: Pick<PageFiles, 'shells'> }

export function createSubAccounts(
  { maxSubAccounts, defaultPlan }: Pick<PortalApiConfig, 'maxSubAccounts' | 'defaultPlan'>,
  deps: SubAccountDeps,
) {
  return {
    ...createReadSubAccounts(deps),
    ...createSaveSubAccount({ ...deps, maxSubAccounts }),
    ...createSubAccountSettings(deps),
    mintSubAccountSession: createMintSession(deps),
    ...createManageSessions(deps),
    ...createPortalSession({ defaultPlan }, deps),
    getPortalPage: createPortalPage(deps.portal, deps.pageFiles.shells.portal),
  }
}
