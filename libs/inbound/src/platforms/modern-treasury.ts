/** The preset of Modern Treasury. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'modern-treasury',
  name: 'Modern Treasury',
  description: 'Modern Treasury payment and ledger webhooks.',
  mode: 'hmac',
  docs: 'https://docs.moderntreasury.com/platform/docs/webhooks-overview',
  configKeys: [SECRET],
  verify: bodyHmac('X-Signature'),
  eventType: ['{$.headers.X-Topic}.{$.event}', '$.headers.X-Topic'],
  deliveryId: ['$.headers.X-Webhook-ID'],
}
