/** The preset of Affirm. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'affirm',
  name: 'Affirm',
  description: 'Affirm checkout and prequalification webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.affirm.com/developers/docs/checking-webhook-signatures',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha512',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Affirm-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v0', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.event'],
  deliveryId: [],
  notes: 'Ask Affirm to switch on signing.',
}
