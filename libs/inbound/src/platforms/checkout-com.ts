/** The preset of Checkout.com. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'checkout-com',
  name: 'Checkout.com',
  description:
    'Payment events signed over the raw body; an extra static Authorization key is optional',
  mode: 'hmac',
  docs: 'https://www.checkout.com/docs/developer-resources/event-notifications/receive-webhooks',
  configKeys: [
    SECRET,
    {
      name: 'authorization_key',
      secret: true,
      required: false,
      meaning:
        'The authorization header key of the webhook, when it has one: demanded then beside the signature.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      bodyHmac('Cko-Signature'),
      {
        kind: 'token',
        at: { header: 'Authorization' },
        config: 'authorization_key',
        needs: ['authorization_key'],
      },
    ],
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}
