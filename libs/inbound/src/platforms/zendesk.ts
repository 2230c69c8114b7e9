/** The preset of Zendesk. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'zendesk',
  name: 'Zendesk',
  description: 'Support webhooks with a timestamped HMAC',
  mode: 'hmac_timestamped',
  docs: 'https://developer.zendesk.com/documentation/webhooks/verifying/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Zendesk-Webhook-Signature' } },
    signed: '{t}{body}',
    timestamp: {
      at: { header: 'X-Zendesk-Webhook-Signature-Timestamp' },
      unit: 'iso8601',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$.type'],
  deliveryId: ['$.headers.X-Zendesk-Webhook-Invocation-Id'],
  notes:
    'The test before the webhook is made is signed with a secret of Zendesk’s for tests, and is refused.',
}
