/** The preset of Paystack. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'paystack',
  name: 'Paystack',
  description: 'Paystack payment events.',
  mode: 'hmac',
  docs: 'https://paystack.com/docs/payments/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('x-paystack-signature', { algorithm: 'sha512' }),
  eventType: ['$.event'],
  deliveryId: ['{$.event}:{$.data.id}'],
  accepted: { status: 200 },
}
