/** The preset of Close CRM. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'close',
  name: 'Close CRM',
  description: 'Close CRM webhook subscriptions.',
  mode: 'hmac_timestamped',
  docs: 'https://developer.close.com/topics/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'close-sig-hash' } },
    signed: '{t}{body}',
    key: { config: 'secret', as: 'hex' },
    timestamp: { at: { header: 'close-sig-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['{$.event.object_type}.{$.event.action}', '$.event.object_type'],
  deliveryId: ['$.event.id'],
  notes: 'Enter the signature key of the webhook, in hex as it is shown.',
}
