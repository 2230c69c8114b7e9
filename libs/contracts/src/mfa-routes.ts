/** The routes of a second factor, and whether a workspace wants one of each member. */
import { anyone, may, signedIn } from './access.ts'
import { LoggedIn } from './auth.ts'
import * as mfa from './mfa.ts'
import { API, entry } from './route.ts'

const CODE = '123456'
const maxBodyBytes = 16 * 1024

export const mfaRoutes = {
  enrollMfa: entry({
    method: 'POST',
    path: '/auth/mfa/enroll',
    service: 'portal-api',
    access: signedIn({ personal: true, whileEnrolling: true }),
    // It counts for nothing until it is activated.
    audit: null,
    summary: 'Get a new secret for an authenticator app; it counts once it is activated',
    status: 200,
    answer: mfa.MfaEnrolment,
    errors: ['INVALID_STATE'],
  }),
  activateMfa: entry({
    method: 'POST',
    path: '/auth/mfa/activate',
    service: 'portal-api',
    access: signedIn({ personal: true, whileEnrolling: true }),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Ask for a second factor from now on; the answer has recovery codes',
    status: 200,
    body: mfa.MfaCode,
    answer: mfa.RecoveryCodes,
    maxBodyBytes,
    errors: ['INVALID_STATE'],
    example: { code: CODE },
  }),
  verifyMfa: entry({
    method: 'POST',
    path: '/auth/mfa/verify',
    service: 'portal-api',
    access: anyone(),
    // The log of sign-ins has it.
    audit: null,
    summary: 'End a login that waits for its second factor, by a code or a recovery code',
    status: 200,
    body: mfa.VerifyMfa,
    answer: LoggedIn,
    maxBodyBytes,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    example: { code: CODE },
  }),
  renewRecoveryCodes: entry({
    method: 'POST',
    path: '/auth/mfa/recovery-codes',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Make new recovery codes; those of before are void',
    status: 200,
    body: mfa.MfaCode,
    answer: mfa.RecoveryCodes,
    maxBodyBytes,
    errors: ['INVALID_STATE'],
    example: { code: CODE },
  }),
  disableMfa: entry({
    method: 'DELETE',
    path: '/auth/mfa',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Ask for no second factor any more',
    status: 204,
    body: mfa.DisableMfa,
    maxBodyBytes,
    errors: ['INVALID_STATE'],
    example: { password: 'correct horse battery' },
  }),
  getSecurity: entry({
    method: 'GET',
    path: `${API}/me/security`,
    service: 'portal-api',
    access: may('account:read'),
    summary: 'What the workspace asks of its members',
    status: 200,
    answer: mfa.SecuritySettings,
  }),
  updateSecurity: entry({
    method: 'PATCH',
    path: `${API}/me/security`,
    service: 'portal-api',
    access: may('account:write'),
    audit: 'security.update',
    summary: 'Ask a second factor of each member; those without one may only set one up',
    status: 200,
    body: mfa.UpdateSecurity,
    answer: mfa.SecuritySettings,
    example: { requireMfa: true },
  }),
}
