/** The preset of Unit. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'unit',
  name: 'Unit',
  description: 'Unit banking-as-a-service webhooks.',
  mode: 'hmac',
  docs: 'https://www.unit.co/docs/api/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Unit-Signature', { algorithm: 'sha1', encoding: 'base64' }),
  eventType: ['$.data[*].type'],
  deliveryId: ['$.data[*].id'],
}
