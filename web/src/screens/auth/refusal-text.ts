/** Why somebody who came back from an identity provider was not signed in, in words. */
import { t } from '../../texts/t.ts'

export function refusalText(code: string): string {
  const texts: Readonly<Record<string, string>> = {
    email_missing: t('The provider did not tell us your e-mail address.'),
    email_not_verified: t('The provider has not verified your e-mail address.'),
    domain_not_proved: t('Your workspace has not proved that it owns the domain of your address.'),
    no_account: t(
      'Nobody here has this address. Ask an admin for an invitation, or make a workspace.',
    ),
    deactivated: t('An admin of your workspace has deactivated your account.'),
    other_workspace: t('Your address belongs to another workspace.'),
    sso_required: t('Your company signs in with single sign-on.'),
    unknown_provider: t('This way of signing in does not exist any more.'),
    provider_unavailable: t('The provider does not answer. Try again in a minute.'),
    flow_expired: t('Signing in took too long. Try again.'),
    access_denied: t('The provider says that you declined.'),
  }
  return texts[code] ?? t('The provider’s answer was not accepted.')
}
