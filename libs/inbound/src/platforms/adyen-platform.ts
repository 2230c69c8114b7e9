/** The preset of Adyen (platform / management webhooks). */
import type { Preset } from '../preset.ts'
import { PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'adyen-platform',
  name: 'Adyen (platform / management webhooks)',
  description:
    'Balance Platform, management and similar webhooks with one HMAC over the whole body in a header',
  mode: 'hmac',
  docs: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The HMAC key from the Customer Area, in hex. Several while it is rotated.',
    },
    USERNAME,
    PASSWORD,
  ],
  verify: {
    kind: 'all',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'base64',
        signature: { at: { header: 'HmacSignature' } },
        signed: '{body}',
        key: { config: 'secret', as: 'hex' },
      },
      BASIC,
    ],
  },
  eventType: ['$.type'],
  deliveryId: [],
  notes: 'A user name and a password, when they are set here, are demanded beside the signature.',
}
