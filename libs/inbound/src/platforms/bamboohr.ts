/** The preset of BambooHR. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bamboohr',
  name: 'BambooHR',
  description: "BambooHR employee-change webhooks signed with the webhook's private key.",
  mode: 'hmac_timestamped',
  docs: 'https://documentation.bamboohr.com/docs/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-BambooHR-Signature' } },
    signed: '{body}{t}',
    timestamp: {
      at: { header: 'X-BambooHR-Timestamp' },
      unit: 'seconds',
      toleranceSeconds: null,
    },
  },
  eventType: ['$.employees[*].action'],
  deliveryId: [],
  notes:
    'Enter the private key that is shown once, when the webhook is made. The event’s type is the action of its first employee.',
}
