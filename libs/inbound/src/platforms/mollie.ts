/** The preset of Mollie (next-gen webhooks). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mollie',
  name: 'Mollie (next-gen webhooks)',
  description: 'Subscription-based Mollie webhooks signed over the raw body',
  mode: 'hmac',
  docs: 'https://docs.mollie.com/reference/webhooks-new',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Mollie-Signature', repeated: true },
      format: { kind: 'list', separator: ',', prefix: 'sha256=' },
    },
    signed: '{body}',
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes:
    'For a day after the secret is changed Mollie sends two signatures, of the old and of the new one: either is enough.',
}
