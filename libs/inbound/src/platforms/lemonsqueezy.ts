/** The preset of Lemon Squeezy. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'lemonsqueezy',
  name: 'Lemon Squeezy',
  description: 'Store events signed over the raw body',
  mode: 'hmac',
  docs: 'https://docs.lemonsqueezy.com/help/webhooks/signing-requests',
  configKeys: [SECRET],
  verify: bodyHmac('X-Signature'),
  eventType: ['$.headers.X-Event-Name', '$.meta.event_name'],
  deliveryId: ['{$.meta.event_name}:{$.data.type}:{$.data.id}:{$.data.attributes.updated_at}'],
}
