/** The preset of Access Worldpay. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'worldpay',
  name: 'Access Worldpay',
  description: 'Access Worldpay event webhooks.',
  mode: 'hmac',
  docs: 'https://developer.worldpay.com/products/access/events/signature/',
  configKeys: [
    { ...SECRET, meaning: 'The shared secret, which Worldpay issues on request.' },
    {
      name: 'key_id',
      secret: false,
      required: true,
      meaning: 'The number of that secret, as it stands before the signature.',
    },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Event-Signature' },
      format: { kind: 'list', separator: ',', prefix: '{config:key_id}/SHA256/' },
    },
    signed: '{body}',
  },
  eventType: ['$.eventDetails.type'],
  deliveryId: ['$.eventId'],
  accepted: { status: 200 },
  notes:
    'Ask Worldpay to send the Event-Signature header. When it changes the secret, set the new one with its number.',
}
