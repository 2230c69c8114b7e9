/** The preset of Klarna. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'klarna',
  name: 'Klarna',
  description: 'Klarna Network / partner webhooks signed with a signing key you create in Klarna',
  mode: 'hmac',
  docs: 'https://docs.klarna.com/acquirer/klarna-network/setup-your-integration/connection-configuration/setup-your-webhooks/',
  configKeys: [
    SECRET,
    {
      name: 'key_id',
      secret: false,
      required: false,
      meaning: 'The id of the signing key, when no other of yours may sign.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      bodyHmac('Klarna-Signature'),
      {
        kind: 'token',
        at: { header: 'Klarna-Signing-Key-Id' },
        config: 'key_id',
        needs: ['key_id'],
      },
    ],
  },
  eventType: ['$.metadata.event_type'],
  deliveryId: ['$.metadata.event_id'],
  notes:
    'For Klarna Network. The older callbacks of Klarna Payments and Checkout are not signed and are refused. That the signature is in hex is not confirmed by the platform’s documents.',
}
