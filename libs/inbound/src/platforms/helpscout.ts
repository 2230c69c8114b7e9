/** The preset of Help Scout. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'helpscout',
  name: 'Help Scout',
  description: 'Help Scout conversation, customer and tag webhooks.',
  mode: 'hmac',
  docs: 'https://developer.helpscout.com/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-HelpScout-Signature', { algorithm: 'sha1', encoding: 'base64' }),
  eventType: ['$.headers.X-HelpScout-Event'],
  deliveryId: [],
}
