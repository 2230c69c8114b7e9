/** The preset of Sinch Numbers. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sinch-numbers',
  name: 'Sinch Numbers',
  description: 'Sinch Numbers API provisioning callbacks.',
  mode: 'hmac',
  docs: 'https://developers.sinch.com/docs/numbers/api-reference/numbers/numbers-callbacks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Sinch-Signature', { algorithm: 'sha1' }),
  eventType: ['$.eventType'],
  deliveryId: ['$.eventId'],
}
