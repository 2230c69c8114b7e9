/** The preset of PagerDuty. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'pagerduty',
  name: 'PagerDuty',
  description: 'PagerDuty v3 webhook subscriptions for incident and service events.',
  mode: 'hmac',
  docs: 'https://developer.pagerduty.com/docs/verifying-webhook-signatures',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-PagerDuty-Signature' },
      format: { kind: 'list', separator: ',', prefix: 'v1=' },
    },
    signed: '{body}',
  },
  eventType: ['$.event.event_type'],
  deliveryId: ['$.event.id'],
}
