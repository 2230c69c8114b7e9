/** The preset of Gogs. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'gogs',
  name: 'Gogs',
  description: 'Gogs repository webhooks.',
  mode: 'hmac',
  docs: 'https://gogs.io/docs/features/webhook.html',
  configKeys: [SECRET],
  verify: bodyHmac('X-Gogs-Signature'),
  eventType: ['$.headers.X-Gogs-Event'],
  deliveryId: ['$.headers.X-Gogs-Delivery'],
  notes:
    'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
}
