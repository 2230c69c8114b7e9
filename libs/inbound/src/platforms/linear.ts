/** The preset of Linear. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'linear',
  name: 'Linear',
  description: 'Workspace events signed over the raw body with a time inside it',
  mode: 'hmac',
  docs: 'https://linear.app/developers/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Linear-Signature' } },
    signed: '{body}',
    timestamp: { at: { json: '$.webhookTimestamp' }, unit: 'milliseconds', toleranceSeconds: 60 },
  },
  eventType: ['$.type'],
  deliveryId: ['$.headers.Linear-Delivery'],
  notes: 'What Linear sent more than a minute ago is refused, as Linear recommends.',
}
