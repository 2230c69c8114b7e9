/** The preset of Shopify. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'shopify',
  name: 'Shopify',
  description: 'Store and app webhooks signed with the app client secret',
  mode: 'hmac',
  docs: 'https://shopify.dev/docs/apps/build/webhooks/verify-deliveries',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [
      bodyHmac('X-Shopify-Hmac-Sha256', { encoding: 'base64' }),
      bodyHmac('shopify-hmac-sha256', { encoding: 'base64' }),
    ],
  },
  eventType: ['$.headers.X-Shopify-Topic', '$.headers.shopify-topic'],
  deliveryId: ['$.headers.X-Shopify-Webhook-Id', '$.headers.shopify-webhook-id'],
  notes:
    'The secret is the app’s client secret; for webhooks made in the admin pages it stands under Notifications, Webhooks. For an hour after a change Shopify may sign with the old secret: keep both meanwhile.',
}
