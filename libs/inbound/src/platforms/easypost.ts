/** The preset of EasyPost. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'easypost',
  name: 'EasyPost',
  description: 'EasyPost tracker, batch and shipment events.',
  mode: 'hmac',
  docs: 'https://docs.easypost.com/guides/webhooks-guide',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Hmac-Signature' },
      format: { kind: 'bare', prefix: 'hmac-sha256-hex=' },
    },
    signed: '{body}',
    key: { config: 'secret', as: 'utf8-nfkd' },
  },
  eventType: ['$.description'],
  deliveryId: ['$.id'],
}
