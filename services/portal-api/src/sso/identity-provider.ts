/**
 * What the sign-in flow needs of an identity provider: where to send the browser, and who came
 * back. `oidc-provider.ts` and `github-provider.ts` are the two kinds.
 */
import { EmailAddress } from '@posthorn/contracts/email-address'

/** Somebody as an identity provider knows them. `issuer` and `subject` never name anybody else. */
export interface SsoProfile {
  issuer: string
  subject: string
  /** In lower case. */
  email: string | null
  /** `unsaid`: the provider does not tell whether the address was verified. */
  emailIs: 'verified' | 'unverified' | 'unsaid'
  name: string | null
}

/** What is kept of a flow until the browser is back, beside its state. */
export interface PendingGrant {
  nonce: string
  verifier: string
}

export interface ProviderClient {
  /** Where the browser goes. @throws when the provider can't be asked */
  begin(redirectUri: string, state: string, pending: PendingGrant): Promise<URL>
  /**
   * Exchanges the code and checks all that has to be checked.
   *
   * @param callback the redirect URI with the parameters that the browser brought
   * @throws when anything is not as it must be
   */
  finish(callback: URL, state: string, pending: PendingGrant): Promise<SsoProfile>
}

/** An e-mail address as users are compared by; null: it is none that we take. */
export function normalEmail(text: unknown): string | null {
  return EmailAddress.safeParse(text).data ?? null
}

const MAX_NAME_CHARACTERS = 200

export function normalName(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const name = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return name === '' ? null : Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('')
}
