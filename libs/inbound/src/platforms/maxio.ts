/** The preset of Maxio (Chargify). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'maxio',
  name: 'Maxio (Chargify)',
  description: 'Maxio Advanced Billing (Chargify) webhooks.',
  mode: 'hmac',
  docs: 'https://developers.maxio.com/http/getting-started/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Chargify-Webhook-Signature-Hmac-Sha-256'),
  eventType: ['$.event'],
  deliveryId: ['$.headers.X-Chargify-Webhook-Id'],
  notes: 'The old signature in X-Chargify-Webhook-Signature, an MD5, is not looked at.',
}
