/** The preset of Square. */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'square',
  name: 'Square',
  description: 'Seller events signed over the notification URL followed by the body',
  mode: 'provider_specific',
  docs: 'https://developer.squareup.com/docs/webhooks/step3validate',
  configKeys: [
    { ...SECRET, meaning: 'The signature key of the webhook subscription.' },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'x-square-hmacsha256-signature' } },
    signed: '{url}{body}',
  },
  eventType: ['$.type'],
  deliveryId: ['$.event_id'],
  notes: 'The URL is signed exactly as it stands in the subscription.',
}
