/** The preset of Shippo. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'shippo',
  name: 'Shippo',
  description: 'Shippo track, transaction and batch webhooks with HMAC enabled.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.goshippo.com/docs/tracking/webhooksecurity/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Shippo-Auth-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.event'],
  deliveryId: [],
  notes: 'Shippo signs on request only: ask its support for an HMAC secret.',
}
