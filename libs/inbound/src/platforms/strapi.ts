/** The preset of Strapi. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'strapi',
  name: 'Strapi',
  description: 'Strapi CMS entry, media and release webhooks.',
  mode: 'token',
  docs: 'https://docs.strapi.io/cms/backend-customization/webhooks',
  configKeys: [HEADER_NAME, SHARED_SECRET],
  verify: namedHeader(),
  eventType: ['$.headers.X-Strapi-Event', '$.event'],
  deliveryId: [],
  notes:
    'Add a header to the webhook, as Authorization with a long random text. Nothing is signed.',
}
