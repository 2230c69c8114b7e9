/** The preset of Render. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'render',
  name: 'Render',
  description: 'Render service, deploy and datastore events, signed per Standard Webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://render.com/docs/webhooks',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.type'],
  deliveryId: ['$.headers.webhook-id'],
}
