/** The preset of Ashby. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'ashby',
  name: 'Ashby',
  description: 'Ashby recruiting webhooks with an optional HMAC in Ashby-Signature.',
  mode: 'hmac',
  docs: 'https://developers.ashbyhq.com/docs/authenticating-webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('Ashby-Signature', { prefix: 'sha256=' }),
  eventType: ['$.action'],
  deliveryId: [],
  notes:
    'The signature is there only when a secret token was entered in Ashby. Its first ping must be signed too.',
}
