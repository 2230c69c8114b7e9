/** The preset of Ghost. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'ghost',
  name: 'Ghost',
  description: 'Ghost CMS custom-integration webhooks (posts, pages, members).',
  mode: 'hmac_timestamped',
  docs: 'https://docs.ghost.org/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Ghost-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'sha256', timestamp: 't' },
    },
    signed: '{body}{t}',
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
  },
  eventType: ['$.event'],
  deliveryId: [],
  notes:
    'For Ghost 5.87 and later: earlier ones sign in another way. Give the webhook a secret. Where a request names no event, use an inbound endpoint for each.',
}
