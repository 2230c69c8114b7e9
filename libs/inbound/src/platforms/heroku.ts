/** The preset of Heroku. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'heroku',
  name: 'Heroku',
  description: 'Heroku app webhooks (releases, builds, formation, add-ons and so on).',
  mode: 'hmac',
  docs: 'https://devcenter.heroku.com/articles/app-webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('Heroku-Webhook-Hmac-SHA256', { encoding: 'base64' }),
  eventType: ['$.webhook_metadata.event.include'],
  deliveryId: ['$.webhook_metadata.event.id'],
}
