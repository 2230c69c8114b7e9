/** The preset of Lago (HMAC). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'lago',
  name: 'Lago (HMAC)',
  description: 'Lago billing webhooks signed with HMAC.',
  mode: 'hmac',
  docs: 'https://docs.getlago.com/api-reference/webhooks/messages',
  configKeys: [SECRET],
  verify: bodyHmac('X-Lago-Signature', { encoding: 'base64' }),
  eventType: ['$.webhook_type'],
  deliveryId: ['$.headers.X-Lago-Unique-Key'],
  notes: 'For webhooks with the signature algorithm hmac. For jwt use lago-jwt.',
}
