/** The preset of Mixpanel. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'mixpanel',
  name: 'Mixpanel',
  description: 'Mixpanel cohort-sync custom webhooks.',
  mode: 'basic_auth',
  docs: 'https://docs.mixpanel.com/docs/cohort-sync/webhooks',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: BASIC,
  eventType: ['$.action'],
  deliveryId: [],
  notes:
    'Basic authentication is an option of Mixpanel’s connection: switch it on there. Nothing is signed.',
}
