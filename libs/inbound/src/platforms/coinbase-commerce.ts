/** The preset of Coinbase Commerce. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'coinbase-commerce',
  name: 'Coinbase Commerce',
  description: 'Crypto charge events signed over the raw body',
  mode: 'hmac',
  docs: 'https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-security',
  configKeys: [SECRET],
  verify: bodyHmac('X-CC-Webhook-Signature'),
  eventType: ['$.event.type'],
  deliveryId: ['$.event.id'],
  notes:
    'For Coinbase Commerce. Webhooks of Coinbase Business and of the Developer Platform are signed in another way and refused.',
}
