/** The preset of Sanity. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sanity',
  name: 'Sanity',
  description: 'Sanity GROQ-powered document webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://www.sanity.io/docs/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64url',
    signature: {
      at: { header: 'sanity-webhook-signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
  },
  eventType: ['$.headers.sanity-operation'],
  deliveryId: ['$.headers.idempotency-key'],
  notes: 'Sanity names no age that is too old.',
}
