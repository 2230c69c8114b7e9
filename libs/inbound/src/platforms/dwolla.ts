/** The preset of Dwolla. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'dwolla',
  name: 'Dwolla',
  description: 'Transfer and customer events signed over the raw body',
  mode: 'hmac',
  docs: 'https://developers.dwolla.com/docs/balance/webhooks/process-validate',
  configKeys: [SECRET],
  verify: bodyHmac('X-Request-Signature-SHA-256'),
  eventType: ['$.topic'],
  deliveryId: ['$.id'],
  notes: 'The secret is the one that was given when the subscription was made.',
}
