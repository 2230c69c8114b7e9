/** The preset of Klaviyo. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'klaviyo',
  name: 'Klaviyo',
  description: 'Klaviyo system webhooks created with the Webhooks API.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.klaviyo.com/en/docs/working_with_system_webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Klaviyo-Signature' } },
    signed: '{body}{t}',
    timestamp: { at: { header: 'Klaviyo-Timestamp' }, unit: 'seconds', toleranceSeconds: null },
  },
  eventType: ['$.data[*].topic'],
  deliveryId: ['$.data[*].external_id'],
  notes: 'For system webhooks. The webhook action of a flow is not signed and is refused.',
}
