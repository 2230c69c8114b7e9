/** The preset of BigCommerce. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'bigcommerce',
  name: 'BigCommerce',
  description: 'BigCommerce store webhooks (scope callbacks).',
  mode: 'hmac_timestamped',
  docs: 'https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook', 'utf8'),
  eventType: ['$.scope'],
  deliveryId: ['$.headers.webhook-id'],
  notes: 'The secret is the client secret of the app, as it is shown.',
}
