/** The preset of Cal.com. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'cal-com',
  name: 'Cal.com',
  description: 'Booking events signed over the raw body',
  mode: 'hmac',
  docs: 'https://cal.com/docs/developing/guides/automation/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Cal-Signature-256'),
  eventType: ['$.triggerEvent'],
  deliveryId: [],
  notes:
    'Give the webhook a secret. With a payload template of your own the type is found where it has triggerEvent.',
}
