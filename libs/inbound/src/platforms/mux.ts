/** The preset of Mux. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mux',
  name: 'Mux',
  description: 'Mux Video and Data webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://www.mux.com/docs/core/verify-webhook-signatures',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Mux-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}
