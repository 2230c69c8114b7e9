/** The preset of Vercel. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'vercel',
  name: 'Vercel',
  description: 'Deployment, project and integration events from Vercel.',
  mode: 'hmac',
  docs: 'https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('x-vercel-signature', { algorithm: 'sha1' }),
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes:
    'The secret is the webhook’s own; for webhooks of an integration it is the integration’s client secret.',
}
