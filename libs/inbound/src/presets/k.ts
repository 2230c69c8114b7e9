/** The platforms from Keycloak to Klaviyo. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { OPTIONAL_SECRET, SECRET } from '../schemes/config-keys.ts'

export const k: readonly Preset[] = [
  {
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
  },
  {
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
  },
  {
    source: 'klaviyo',
    name: 'Klaviyo',
    description: 'Klaviyo system webhooks created with the Webhooks API.',
    mode: 'hmac_timestamped',
    docs: 'https://developers.klaviyo.com/en/docs/working_with_system_webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'Klaviyo-Signature' } },
      signed: '{body}{t}',
      timestamp: { at: { header: 'Klaviyo-Timestamp' }, unit: 'seconds', toleranceSeconds: null },
    },
    eventType: ['$.data[*].topic'],
    deliveryId: ['$.data[*].external_id'],
    notes: 'For system webhooks. The webhook action of a flow is not signed and is refused.',
  },
]
