/** The preset of dbt Cloud. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'dbt-cloud',
  name: 'dbt Cloud',
  description: 'dbt Cloud job run webhooks.',
  mode: 'hmac',
  docs: 'https://docs.getdbt.com/docs/deploy/webhooks#validate-a-webhook',
  configKeys: [SECRET],
  verify: bodyHmac('Authorization'),
  eventType: ['$.eventType'],
  deliveryId: ['$.eventId'],
  accepted: { status: 200 },
}
