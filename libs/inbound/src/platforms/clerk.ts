/** The preset of Clerk. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'clerk',
  name: 'Clerk',
  description:
    'User, organization and session events from Clerk, delivered and signed through Svix.',
  mode: 'hmac_timestamped',
  docs: 'https://clerk.com/docs/reference/backend/verify-webhook',
  configKeys: [SECRET],
  verify: { kind: 'any', of: [standardWebhooks('svix'), standardWebhooks('webhook')] },
  eventType: ['$.type'],
  deliveryId: ['$.headers.svix-id', '$.headers.webhook-id'],
}
