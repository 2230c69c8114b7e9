/** The routes of second factors and passkeys, over one way to end a pending login. */
import type { PlanName } from '@posthorn/domain/plans'
import type { SigningIn } from '../auth/create-auth.ts'
import { createManagePasskeys } from '../passkeys/manage-passkeys.ts'
import { createPasskeyLogin } from '../passkeys/sign-in-with-passkey.ts'
import { relyingPartyOf } from '../passkeys/verify-passkey.ts'
import type { PortalApiDeps } from '../portal-api-deps.ts'
import { createEndPendingLogin } from './end-pending-login.ts'
import { createManageMfa } from './manage-mfa.ts'
import { createSecuritySettings } from './security-settings.ts'
import { createVerifyMfa } from './verify-mfa.ts'

export interface SecondFactorsConfig {
  brand: string
  /** `PUBLIC_URL`: passkeys are bound to its host. */
  publicUrl: string
  /** `DEFAULT_PLAN` */
  defaultPlan: PlanName
}

export function createSecondFactors(config: SecondFactorsConfig, deps: PortalApiDeps & SigningIn) {
  const { brand, publicUrl, defaultPlan } = config
  const login = { ...deps, defaultPlan }
  const endPendingLogin = createEndPendingLogin(config, login)
  const party = relyingPartyOf(publicUrl, brand)
  return {
    ...createManageMfa(config, deps),
    verifyMfa: createVerifyMfa({ ...deps, endPendingLogin }),
    ...createSecuritySettings(deps),
    ...createManagePasskeys({ ...deps, party }),
    ...createPasskeyLogin(config, { ...login, party, endPendingLogin }),
  }
}
