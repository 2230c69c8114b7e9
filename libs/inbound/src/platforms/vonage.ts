/** The preset of Vonage (Nexmo). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'vonage',
  name: 'Vonage (Nexmo)',
  description: 'Vonage (Nexmo) Messages, Voice and SMS signed webhooks.',
  mode: 'jwt',
  docs: 'https://developer.vonage.com/en/getting-started/concepts/webhooks#decoding-signed-webhooks',
  configKeys: [
    { ...SECRET, meaning: 'The account’s signature secret.' },
    {
      name: 'api_key',
      secret: false,
      required: false,
      meaning: 'The account’s API key: with it a token must be for this account.',
    },
  ],
  verify: {
    kind: 'jwt',
    at: { header: 'Authorization' },
    scheme: 'Bearer ',
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
    issuer: 'Vonage',
    claims: [
      {
        claim: 'payload_hash',
        is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' },
        absentWhenEmpty: true,
      },
      { claim: 'api_key', is: { text: '{config:api_key}' }, needs: ['api_key'] },
    ],
    maxAgeSeconds: 300,
  },
  eventType: ['$.status', '$.message_type', '$.type'],
  deliveryId: ['{$.message_uuid}:{$.status}', '{$.uuid}:{$.status}', '$.message_uuid'],
  accepted: { status: 200 },
  notes:
    'Set signed webhooks and the method POST. Signatures of the old SMS API, in a field sig, are not checked.',
}
