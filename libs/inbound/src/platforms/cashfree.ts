/** The preset of Cashfree. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'cashfree',
  name: 'Cashfree',
  description: 'Cashfree Payments gateway and payouts webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://www.cashfree.com/docs/payments/online/webhooks/signature-verification',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'x-webhook-signature' } },
    signed: '{t}{body}',
    timestamp: {
      at: { header: 'x-webhook-timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$.type'],
  deliveryId: ['$.headers.x-idempotency-key'],
}
