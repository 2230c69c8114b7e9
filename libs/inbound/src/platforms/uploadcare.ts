/** The preset of Uploadcare. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'uploadcare',
  name: 'Uploadcare',
  description: 'Uploadcare file webhooks.',
  mode: 'hmac',
  docs: 'https://uploadcare.com/docs/security/secure-webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Uc-Signature', { prefix: 'v1=' }),
  eventType: ['$.hook.event'],
  deliveryId: ['{$.hook.event}:{$.data.uuid}'],
}
