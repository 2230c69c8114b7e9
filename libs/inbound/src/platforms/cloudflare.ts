/** The preset of Cloudflare Notifications. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'cloudflare',
  name: 'Cloudflare Notifications',
  description:
    'Cloudflare account notification webhooks (generic destination), authenticated by a shared secret header.',
  mode: 'token',
  docs: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
  configKeys: [SECRET],
  verify: { kind: 'token', at: { header: 'cf-webhook-auth' }, config: 'secret' },
  eventType: ['$.alert_type'],
  deliveryId: [],
  notes:
    'Cloudflare signs nothing: it sends the secret itself. Its first message, a test, is an event like any other.',
}
