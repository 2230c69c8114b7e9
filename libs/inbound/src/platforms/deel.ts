/** The preset of Deel. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'deel',
  name: 'Deel',
  description: 'Deel contract, payment and HR webhooks signed over the method name plus the body.',
  mode: 'hmac',
  docs: 'https://developer.deel.com/docs/security',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'x-deel-signature' } },
    signed: 'POST{body}',
  },
  eventType: ['$.data.meta.event_type'],
  deliveryId: [],
}
