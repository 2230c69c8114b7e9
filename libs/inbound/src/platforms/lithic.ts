/** The preset of Lithic. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'lithic',
  name: 'Lithic',
  description: 'Lithic card-issuing event webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.lithic.com/docs/events-api',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.event_type'],
  deliveryId: ['$.headers.webhook-id'],
}
