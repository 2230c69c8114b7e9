/** The preset of Svix. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'svix',
  name: 'Svix',
  description: 'Webhooks sent through Svix with its original svix-* headers.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  configKeys: [SECRET],
  verify: { kind: 'any', of: [standardWebhooks('svix'), standardWebhooks('webhook')] },
  eventType: ['$.type'],
  deliveryId: ['$.headers.svix-id', '$.headers.webhook-id'],
}
