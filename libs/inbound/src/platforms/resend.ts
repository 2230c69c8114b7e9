/** The preset of Resend. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'resend',
  name: 'Resend',
  description:
    'Email delivery, bounce, open and contact events from Resend, signed with Svix headers.',
  mode: 'hmac_timestamped',
  docs: 'https://resend.com/docs/webhooks/verify-webhooks-requests',
  configKeys: [SECRET],
  verify: standardWebhooks('svix'),
  eventType: ['$.type'],
  deliveryId: ['$.headers.svix-id'],
}
