/** The preset of Flutterwave (v4). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'flutterwave-v4',
  name: 'Flutterwave (v4)',
  description: 'Flutterwave v4 webhooks (HMAC).',
  mode: 'hmac',
  docs: 'https://developer.flutterwave.com/docs/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('flutterwave-signature', { encoding: 'base64' }),
  eventType: ['$.type'],
  deliveryId: ['$.webhook_id'],
  notes: 'The secret is the secret hash of the dashboard.',
}
