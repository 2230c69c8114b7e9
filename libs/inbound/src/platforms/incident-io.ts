/** The preset of incident.io. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'incident-io',
  name: 'incident.io',
  description: 'incident.io incident and alert webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.incident.io/integrations/webhooks',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.event_type'],
  deliveryId: ['$.headers.webhook-id'],
}
