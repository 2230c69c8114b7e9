/** The preset of ShipBob. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'shipbob',
  name: 'ShipBob',
  description: 'ShipBob fulfillment, return and billing webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://developer.shipbob.com/webhooks',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.headers.x-webhook-topic'],
  deliveryId: ['$.headers.webhook-id'],
}
