/** What the codes of refusals mean to the person at the page, and what to do. */
import type { Failure } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { span } from './time.tsx'

/** @returns null: the server's own words say it best */
export function explainCode({ code, retryAfterSeconds }: Failure): string | null {
  switch (code) {
    case 'UNREACHABLE':
      return t('The server does not answer. Is it running, and are you online?')
    case 'UNAUTHORIZED':
      return t('You are not signed in any more.')
    case 'FORBIDDEN':
      return t('Your role does not allow this. An admin of the workspace can change it.')
    case 'RATE_LIMITED':
      return t('Too many requests. Try again in {time}.', { time: span(retryAfterSeconds ?? 1) })
    case 'QUOTA_EXCEEDED':
      return t("The month's quota of events is used up.")
    case 'PLAN_REQUIRED':
      return t('Your plan does not have this.')
    case 'UNAVAILABLE':
      return t('A part of the service is not reachable right now. It heals by itself: try again.')
    case 'DESTINATION_BLOCKED':
      return t('This address is not allowed as a destination.')
    case 'EMAIL_NOT_VERIFIED':
      return t('Verify your e-mail address first: the link is in the mail that we sent you.')
    case 'MFA_REQUIRED':
      return t('Your workspace asks for a second factor: set one up first.')
    case 'SSO_REQUIRED':
      return t('Your company signs in with single sign-on.')
    case 'NOT_FOUND':
      return t('There is no such thing here, or not any more.')
    case 'INVALID_TOKEN':
      return t('This link is used up or too old. Ask for a new one.')
    default:
      return null
  }
}
