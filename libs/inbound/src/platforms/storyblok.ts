/** The preset of Storyblok. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'storyblok',
  name: 'Storyblok',
  description: 'Storyblok story, asset and workflow webhooks.',
  mode: 'hmac',
  docs: 'https://www.storyblok.com/docs/concepts/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('webhook-signature', { algorithm: 'sha1' }),
  eventType: ['$.action'],
  deliveryId: [],
}
