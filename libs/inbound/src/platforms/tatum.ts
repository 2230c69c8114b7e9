/** The preset of Tatum. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'tatum',
  name: 'Tatum',
  description: 'Tatum blockchain notification webhooks with HMAC enabled.',
  mode: 'hmac',
  docs: 'https://docs.tatum.io/docs/notifications/notification-workflow/security-of-notifications',
  configKeys: [SECRET],
  verify: bodyHmac('x-payload-hash', { algorithm: 'sha512', encoding: 'base64' }),
  eventType: ['$.subscriptionType'],
  deliveryId: ['{$.txId}:{$.address}', '$.txId'],
}
