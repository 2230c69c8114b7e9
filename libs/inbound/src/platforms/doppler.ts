/** The preset of Doppler. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'doppler',
  name: 'Doppler',
  description: 'Doppler secret-change webhooks.',
  mode: 'hmac',
  docs: 'https://docs.doppler.com/docs/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Doppler-Signature', { prefix: 'sha256=' }),
  eventType: ['$.type'],
  deliveryId: [],
}
