/** The preset of Authorize.Net. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'authorize-net',
  name: 'Authorize.Net',
  description: 'Authorize.Net event webhooks.',
  mode: 'hmac',
  docs: 'https://developer.authorize.net/api/reference/features/webhooks.html',
  configKeys: [SECRET],
  verify: bodyHmac('X-ANET-Signature', { algorithm: 'sha512', prefix: 'sha512=' }),
  eventType: ['$.eventType'],
  deliveryId: ['$.notificationId'],
  notes: 'Enter the Signature Key as it is shown: its 128 characters are the key.',
}
