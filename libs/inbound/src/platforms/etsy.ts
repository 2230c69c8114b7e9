/** The preset of Etsy. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'etsy',
  name: 'Etsy',
  description: 'Etsy Open API shop webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.etsy.com/documentation/essentials/webhooks',
  configKeys: [SECRET],
  verify: { kind: 'any', of: [standardWebhooks('webhook'), standardWebhooks('svix')] },
  eventType: ['$.event_type'],
  deliveryId: ['$.headers.webhook-id', '$.headers.svix-id'],
  notes:
    'For apps with commercial access. The names of the headers are not confirmed by the platform’s documents.',
}
