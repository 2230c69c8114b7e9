/** The preset of Greenhouse. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'greenhouse',
  name: 'Greenhouse',
  description: 'Greenhouse Recruiting and Onboarding web hooks.',
  mode: 'hmac',
  docs: 'https://developers.greenhouse.io/webhooks.html',
  configKeys: [SECRET],
  verify: bodyHmac('Signature', { prefix: 'sha256 ' }),
  eventType: ['$.action'],
  deliveryId: ['$.headers.Greenhouse-Event-ID'],
}
