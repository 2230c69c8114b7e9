/** The preset of FusionAuth. */
import type { Preset } from '../preset.ts'
import { OPTIONAL_SECRET, PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'fusionauth',
  name: 'FusionAuth',
  description: 'FusionAuth event webhooks signed with a JWT that carries the body hash.',
  mode: 'jwt',
  docs: 'https://fusionauth.io/docs/extend/events-and-webhooks/signing',
  configKeys: [
    OPTIONAL_SECRET,
    {
      name: 'jwks_uri',
      secret: false,
      required: false,
      meaning:
        'The key set of your FusionAuth, as https://<host>/.well-known/jwks.json, when it signs with a key pair.',
    },
    { ...PUBLIC_KEY, required: false },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'jwt',
        at: { header: 'X-FusionAuth-Signature-JWT' },
        algorithms: ['HS256', 'HS384', 'HS512'],
        key: { config: 'secret', as: 'utf8' },
        claims: [
          {
            claim: 'request_body_sha256',
            is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'base64' },
          },
        ],
        needs: ['secret'],
      },
      {
        kind: 'jwt',
        at: { header: 'X-FusionAuth-Signature-JWT' },
        algorithms: ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
        key: { jwks: '{config:jwks_uri}' },
        claims: [
          {
            claim: 'request_body_sha256',
            is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'base64' },
          },
        ],
        needs: ['jwks_uri'],
      },
      {
        kind: 'jwt',
        at: { header: 'X-FusionAuth-Signature-JWT' },
        algorithms: ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
        key: { config: 'public_key' },
        claims: [
          {
            claim: 'request_body_sha256',
            is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'base64' },
          },
        ],
        needs: ['public_key'],
      },
    ],
  },
  eventType: ['$.event.type'],
  deliveryId: ['$.event.id'],
  notes:
    'Switch on signing for the webhook (FusionAuth 1.48 and later), and set one of the keys: the shared secret, the address of the key set, or the public key.',
}
