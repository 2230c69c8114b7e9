/**
 * Logins whose password was right and whose second factor is awaited: a one-time token in a cookie
 * of its own, which is no session.
 */
import { brandOf } from '@posthorn/domain/brand'
import { clearCookie, setCookie } from '@posthorn/http/cookies'
import type { SessionCookie } from '@posthorn/http/serve'

const MINUTE_MS = 60_000
/** For `issueToken` with the purpose `mfa_login`. */
export const MFA_LOGIN_MS = 5 * MINUTE_MS

export function mfaCookieName(brand: string): string {
  return `${brandOf(brand).lower}_mfa`
}

/** The value of `Set-Cookie` that keeps a pending login. */
export function mfaCookie(
  brand: string,
  { secure }: Pick<SessionCookie, 'secure'>,
  token: string,
): string {
  return setCookie(mfaCookieName(brand), token, { maxAgeSeconds: MFA_LOGIN_MS / 1_000, secure })
}

/** For the end of a pending login. */
export function clearMfaCookie(brand: string, { secure }: Pick<SessionCookie, 'secure'>): string {
  return clearCookie(mfaCookieName(brand), { secure })
}
