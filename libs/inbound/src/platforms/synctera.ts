/** The preset of Synctera. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'synctera',
  name: 'Synctera',
  description: 'Synctera banking webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://dev.synctera.com/docs/webhooks-guide',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Synctera-Signature' }, format: { kind: 'list', separator: '.' } },
    signed: '{t}.{body}',
    timestamp: { at: { header: 'Request-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}
