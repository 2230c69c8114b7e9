/** The preset of Razorpay. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'razorpay',
  name: 'Razorpay',
  description: 'Payment events signed over the raw body',
  mode: 'hmac',
  docs: 'https://razorpay.com/docs/webhooks/validate-test/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Razorpay-Signature'),
  eventType: ['$.event'],
  deliveryId: ['$.headers.x-razorpay-event-id'],
}
