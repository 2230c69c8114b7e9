/** The preset of Chargebee. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'chargebee',
  name: 'Chargebee',
  description: 'Billing events; not signed, HTTP Basic credentials on the endpoint',
  mode: 'basic_auth',
  docs: 'https://www.chargebee.com/docs/2.0/webhook_settings.html',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: { kind: 'basic' },
  eventType: ['$.event_type'],
  deliveryId: ['$.id'],
  notes: 'Chargebee signs nothing: switch on basic authentication for the webhook.',
}
