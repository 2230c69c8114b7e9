/** The preset of BitGo. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bitgo',
  name: 'BitGo',
  description: 'BitGo wallet, transfer and policy webhooks.',
  mode: 'hmac',
  docs: 'https://developers.bitgo.com/docs/crypto-as-a-service-webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('x-signature-sha256'),
  eventType: ['$.type'],
  deliveryId: ['{$.type}:{$.transfer}:{$.hash}:{$.state}', '{$.hash}:{$.state}'],
  notes:
    'The signature is there only once a webhook secret has been made. Webhooks of policy rules are signed in another way and refused.',
}
