/** The preset of New Relic. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'new-relic',
  name: 'New Relic',
  description:
    'New Relic alert workflow webhooks; destination-level basic auth, token or custom headers.',
  mode: 'token',
  docs: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: headerOrBasic(),
  eventType: ['$.trigger', '$.state'],
  deliveryId: [],
  notes:
    'Set what the destination sends: Basic credentials, a token, or a header of your own. Nothing is signed. The body is a template that you may have changed.',
}
