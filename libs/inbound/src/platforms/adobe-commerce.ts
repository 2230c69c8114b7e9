/** The preset of Adobe Commerce (Magento). */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'adobe-commerce',
  name: 'Adobe Commerce (Magento)',
  description: 'Adobe Commerce (Magento) synchronous webhooks with digital signature enabled.',
  mode: 'asymmetric',
  docs: 'https://developer.adobe.com/commerce/extensibility/webhooks/signature-verification',
  configKeys: [PUBLIC_KEY],
  verify: {
    kind: 'asymmetric',
    algorithm: 'rsa-sha256',
    encoding: 'base64',
    signature: { at: { header: 'x-adobe-commerce-webhook-signature' } },
    signed: '{base64:body}',
    key: { config: 'public_key' },
  },
  eventType: [],
  deliveryId: [],
  accepted: { body: '[{"op":"success"}]', type: 'application/json' },
  notes:
    'Switch on the digital signature under Stores > Configuration > Adobe Services > Webhooks and copy the public key from there. The shop waits for an answer and is told to go on: [{"op":"success"}].',
}
