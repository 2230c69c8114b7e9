/** The preset of Stripe. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'stripe',
  name: 'Stripe',
  description:
    'Payment platform events, one header carrying a timestamp and one or more versioned HMACs',
  mode: 'hmac_timestamped',
  docs: 'https://docs.stripe.com/webhooks/signature',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Stripe-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}
