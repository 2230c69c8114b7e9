/** The preset of Tally. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'tally',
  name: 'Tally',
  description: 'Tally form submission webhooks.',
  mode: 'hmac',
  docs: 'https://tally.so/help/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('Tally-Signature', { encoding: 'base64' }),
  eventType: ['$.eventType'],
  deliveryId: ['$.eventId'],
}
