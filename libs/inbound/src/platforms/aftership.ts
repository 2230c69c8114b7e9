/** The preset of AfterShip. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'aftership',
  name: 'AfterShip',
  description: 'AfterShip Tracking webhooks (also Returns, Warranty, Shipping).',
  mode: 'hmac',
  docs: 'https://www.aftership.com/docs/tracking/webhook/webhook-signature',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [
      bodyHmac('aftership-hmac-sha256', { encoding: 'base64' }),
      bodyHmac('as-signature-hmac-sha256', { encoding: 'base64' }),
      bodyHmac('am-webhook-signature', { encoding: 'base64', prefix: 'hmac-sha256=' }),
    ],
  },
  eventType: ['$.event', '$.event_type'],
  deliveryId: ['$.event_id'],
  notes:
    'For Tracking, Returns, Warranty and Shipping, each with the secret of its own: enter them all when several send here.',
}
