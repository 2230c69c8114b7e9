/** The preset of WooCommerce. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'woocommerce',
  name: 'WooCommerce',
  description: 'WooCommerce store webhooks (orders, products, customers).',
  mode: 'hmac',
  docs: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks',
  configKeys: [
    {
      ...SECRET,
      meaning:
        'The webhook’s secret. Best without <, >, & and quotes, which WooCommerce reads in a way of its own.',
    },
  ],
  verify: bodyHmac('X-WC-Webhook-Signature', { encoding: 'base64' }),
  handshakes: [
    {
      when: {
        method: 'POST',
        has: [{ form: 'webhook_id' }],
        hasNot: [{ header: 'X-WC-Webhook-Signature' }, { header: 'X-WC-Webhook-Topic' }],
      },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.headers.X-WC-Webhook-Topic'],
  deliveryId: ['$.headers.X-WC-Webhook-Delivery-ID'],
}
