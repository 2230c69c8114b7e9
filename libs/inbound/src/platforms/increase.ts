/** The preset of Increase. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'increase',
  name: 'Increase',
  description: 'Increase banking API events.',
  mode: 'hmac_timestamped',
  docs: 'https://increase.com/documentation/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [
      standardWebhooks('webhook', 'utf8'),
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: {
          at: { header: 'Increase-Webhook-Signature' },
          format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
        },
        signed: '{t}.{body}',
        timestamp: { at: 'signature', unit: 'iso8601', toleranceSeconds: 300 },
      },
    ],
  },
  eventType: ['$.category'],
  deliveryId: ['$.headers.webhook-id'],
  notes: 'Enter the shared secret as it is shown.',
}
