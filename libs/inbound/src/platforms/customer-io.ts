/** The preset of Customer.io. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'customer-io',
  name: 'Customer.io',
  description: 'Customer.io reporting webhooks and campaign webhook actions.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.customer.io/integrations/api/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-CIO-Signature' } },
    signed: 'v0:{t}:{body}',
    timestamp: { at: { header: 'X-CIO-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['{$.object_type}.{$.metric}', '$.object_type'],
  deliveryId: ['$.event_id'],
}
