/** The preset of SourceHut. */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sourcehut',
  name: 'SourceHut',
  description: 'SourceHut (sr.ht) webhooks, legacy REST and GraphQL.',
  mode: 'asymmetric',
  docs: 'https://man.sr.ht/api-conventions.md#webhooks',
  configKeys: [
    {
      ...PUBLIC_KEY,
      required: false,
      meaning: 'Of an installation of your own, base64. Default: that of sr.ht.',
    },
  ],
  verify: {
    kind: 'asymmetric',
    algorithm: 'ed25519',
    encoding: 'base64',
    signature: { at: { header: 'X-Payload-Signature' } },
    signed: '{body}{header:X-Payload-Nonce}',
    key: { config: 'public_key', or: { pem: 'uX7KWyyDNMaBma4aVbJ/cbUQpdjqczuCyK/HxzV/u+4=' } },
  },
  eventType: ['$.headers.X-Webhook-Event'],
  deliveryId: ['$.headers.X-Webhook-Delivery'],
  notes:
    'The key is the same for all of sr.ht: the signature tells that it sent this, not for whom.',
}
