/** The preset of Lago (JWT). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'lago-jwt',
  name: 'Lago (JWT)',
  description: 'Lago billing webhooks signed with a JWT (default algorithm).',
  mode: 'jwt',
  docs: 'https://docs.getlago.com/api-reference/webhooks/messages',
  configKeys: [
    {
      name: 'public_key',
      secret: false,
      required: true,
      meaning: 'The webhook public key of your Lago (GET /api/v1/webhooks/public_key).',
    },
  ],
  verify: {
    kind: 'jwt',
    at: { header: 'X-Lago-Signature' },
    algorithms: ['RS256'],
    key: { config: 'public_key' },
    claims: [{ claim: 'data', is: { text: '{body}' } }],
  },
  eventType: ['$.webhook_type'],
  deliveryId: ['$.headers.X-Lago-Unique-Key'],
  notes: 'For webhooks with the signature algorithm jwt. For hmac use lago.',
}
