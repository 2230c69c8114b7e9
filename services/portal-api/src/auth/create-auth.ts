/** The routes of signing up, signing in and sessions, over one lockout and one queue of hashes. */
import type { PlanName } from '@posthorn/domain/plans'
import type { PortalApiDeps } from '../portal-api-deps.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { createChangePassword } from './change-password.ts'
import { createLogIn } from './log-in.ts'
import { createLockout, type Lockout } from './lockout.ts'
import { createMailLimits } from './mail-limits.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createResetPassword } from './reset-password.ts'
import { createSessionFromKey } from './session-from-key.ts'
import { createSessions } from './sessions.ts'
import { createSignUp, type SignUpPolicy } from './sign-up.ts'
import { createVerifyEmail } from './verify-email.ts'
import type { SsoRequiredFor } from '../sso/sso-required.ts'

export interface AuthConfig {
  brand: string
  /** `SIGNUP` */
  signUp: SignUpPolicy
  /** `DEFAULT_PLAN` */
  defaultPlan: PlanName
}

/** What checks passwords and codes: one of each in a process. */
export interface Checks {
  passwords: Passwords
  lockout: Lockout
}

/** What every way to sign in shares. */
export interface SigningIn extends Checks {
  announceChange: AnnounceChange
  ssoRequiredFor: SsoRequiredFor
}

export function createChecks(state: PortalApiDeps['state']): Checks {
  return { passwords: createPasswords(), lockout: createLockout(state) }
}

export function createAuth(config: AuthConfig, deps: PortalApiDeps & SigningIn) {
  const { defaultPlan } = config
  const all = { ...deps, defaultPlan, mailLimits: createMailLimits(deps.state) }
  return {
    ...createSignUp(config, all),
    ...createLogIn(config, all),
    ...createVerifyEmail(all),
    ...createResetPassword(all),
    ...createChangePassword(all),
    ...createSessions(all),
    ...createSessionFromKey(all),
  }
}
