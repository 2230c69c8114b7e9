/** The preset of Typeform. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'typeform',
  name: 'Typeform',
  description: 'Form responses signed over the raw body',
  mode: 'hmac',
  docs: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('Typeform-Signature', { encoding: 'base64', prefix: 'sha256=' }),
  eventType: ['$.event_type'],
  deliveryId: ['$.event_id'],
}
