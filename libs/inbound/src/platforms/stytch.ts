/** The preset of Stytch. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'stytch',
  name: 'Stytch',
  description: 'Stytch user, member and organization change webhooks, delivered through Svix.',
  mode: 'hmac_timestamped',
  docs: 'https://stytch.com/docs/workspace-management/webhooks',
  configKeys: [SECRET],
  verify: standardWebhooks('svix'),
  eventType: ['{$.source}.{$.object_type}.{$.action}', '$.source'],
  deliveryId: ['$.headers.svix-id'],
}
