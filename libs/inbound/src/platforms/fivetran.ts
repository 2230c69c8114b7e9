/** The preset of Fivetran. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'fivetran',
  name: 'Fivetran',
  description: 'Fivetran sync and connection webhooks.',
  mode: 'hmac',
  docs: 'https://fivetran.com/docs/rest-api/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Fivetran-Signature-256'),
  eventType: ['$.event'],
  deliveryId: [],
}
