/** The preset of DatoCMS. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'datocms',
  name: 'DatoCMS',
  description: 'DatoCMS model, record and publish webhooks.',
  mode: 'basic_auth',
  docs: 'https://www.datocms.com/docs/general-concepts/webhooks',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: { kind: 'basic' },
  eventType: ['$.event_type'],
  deliveryId: ['$.webhook_call_id'],
  notes: 'DatoCMS signs nothing: set HTTP basic credentials on the webhook.',
}
