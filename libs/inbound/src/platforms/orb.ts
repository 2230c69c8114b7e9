/** The preset of Orb. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'orb',
  name: 'Orb',
  description: 'Orb billing webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.withorb.com/integrations-and-exports/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Orb-Signature' },
      format: { kind: 'list', separator: ' ', prefix: 'v1=' },
    },
    signed: 'v1:{t}:{body}',
    timestamp: { at: { header: 'X-Orb-Timestamp' }, unit: 'iso8601', toleranceSeconds: 300 },
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}
