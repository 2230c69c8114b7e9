/** The preset of Rootly. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'rootly',
  name: 'Rootly',
  description: 'Rootly incident, alert and retrospective webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.rootly.com/configuration/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Rootly-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.event.type'],
  deliveryId: ['$.event.id'],
}
