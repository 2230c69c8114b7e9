/** The preset of Keycloak (Phase Two keycloak-events). */
import type { Preset } from '../preset.ts'
import { OPTIONAL_SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'keycloak',
  name: 'Keycloak (Phase Two keycloak-events)',
  description:
    'Keycloak user and admin events via the keycloak-events extension; stock Keycloak has no webhooks.',
  mode: 'hmac',
  docs: 'https://github.com/p2-inc/keycloak-events#authenticating-the-webhook-payload',
  configKeys: [
    OPTIONAL_SECRET,
    {
      name: 'algorithm',
      secret: false,
      required: false,
      meaning: 'The algorithm of the extension’s HMAC. Default: sha256.',
      values: ['sha256', 'sha1'],
    },
    {
      name: 'jwks_uri',
      secret: false,
      required: false,
      meaning: 'The key set of the realm, when the extension sends bearer tokens.',
    },
    {
      name: 'issuer',
      secret: false,
      required: false,
      meaning: 'Who must have issued them: the realm’s URL.',
    },
    { name: 'audience', secret: false, required: false, meaning: 'For whom.' },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { header: 'X-Keycloak-Signature' } },
        signed: '{body}',
        needs: ['secret', 'algorithm?=sha256'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha1',
        encoding: 'hex',
        signature: { at: { header: 'X-Keycloak-Signature' } },
        signed: '{body}',
        needs: ['secret', 'algorithm=sha1'],
      },
      {
        kind: 'jwt',
        at: { header: 'Authorization' },
        scheme: 'Bearer ',
        algorithms: ['RS256'],
        key: { jwks: '{config:jwks_uri}' },
        issuer: { config: 'issuer' },
        audience: { config: 'audience' },
        claims: [
          {
            claim: 'request_body_sha256',
            is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' },
          },
        ],
        needs: ['jwks_uri', 'issuer'],
      },
    ],
  },
  eventType: ['$.type'],
  deliveryId: ['$.uid'],
  notes:
    'Keycloak itself sends no webhooks: this is the extension keycloak-events of Phase Two. Set its secret; or jwks_uri and issuer where it sends tokens.',
}
