/** The platforms from Flutterwave to FusionAuth. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { HEADER_NAME, OPTIONAL_SECRET, PUBLIC_KEY, SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const flFu: readonly Preset[] = [
  {
    source: 'flutterwave',
    name: 'Flutterwave (v3)',
    description: 'Flutterwave v3 webhooks (secret hash).',
    mode: 'token',
    docs: 'https://developer.flutterwave.com/v3.0/docs/webhooks',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The secret hash of the dashboard.',
      },
    ],
    verify: { kind: 'token', at: { header: 'verif-hash' }, config: 'secret' },
    eventType: ['$.event'],
    deliveryId: ['{$.event}:{$.data.id}:{$.data.status}', '{$.event}:{$.data.id}'],
    notes:
      'Version 3 signs nothing: it sends the secret hash itself. Use flutterwave-v4 where you can.',
  },
  {
    source: 'flutterwave-v4',
    name: 'Flutterwave (v4)',
    description: 'Flutterwave v4 webhooks (HMAC).',
    mode: 'hmac',
    docs: 'https://developer.flutterwave.com/docs/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('flutterwave-signature', { encoding: 'base64' }),
    eventType: ['$.type'],
    deliveryId: ['$.webhook_id'],
    notes: 'The secret is the secret hash of the dashboard.',
  },
  {
    source: 'forgejo',
    name: 'Forgejo',
    description: 'Forgejo (Codeberg) repository webhooks.',
    mode: 'hmac',
    docs: 'https://forgejo.org/docs/latest/user/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [
        bodyHmac('X-Forgejo-Signature'),
        bodyHmac('X-Gitea-Signature'),
        bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
      ],
    },
    eventType: ['$.headers.X-Forgejo-Event'],
    deliveryId: ['$.headers.X-Forgejo-Delivery'],
    notes:
      'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
  },
  {
    source: 'formstack',
    name: 'Formstack',
    description: 'Formstack Forms submission webhook with an HMAC key.',
    mode: 'hmac',
    docs: 'https://help.formstack.com/',
    configKeys: [SECRET, HEADER_NAME],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { headerNamedBy: 'header_name', or: 'X-FS-Signature' },
        format: { kind: 'bare', prefix: 'sha256=' },
      },
      signed: '{body}',
    },
    eventType: [],
    deliveryId: ['$.UniqueID'],
    notes: 'Give the webhook an HMAC key. Every event is a submission; FormID names its form.',
  },
  {
    source: 'freshdesk',
    name: 'Freshdesk',
    description: 'Automation "Trigger webhook" calls; not signed, you choose the auth header',
    mode: 'token',
    docs: 'https://support.freshdesk.com/support/solutions/articles/132589-using-webhooks-in-automation-rules',
    configKeys: [SHARED_SECRET, HEADER_NAME],
    verify: namedHeader(),
    eventType: [],
    deliveryId: [],
    notes:
      'Freshdesk signs nothing. Add a header of your own to the rule’s webhook (header_name and secret), or enter the whole Authorization value that it sends. The body is yours, too. Not confirmed by the platform’s documents.',
  },
  {
    source: 'front',
    name: 'Front',
    description: 'Front application webhooks and rule webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://dev.frontapp.com/docs/application-webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'X-Front-Signature' } },
      signed: '{t}:{body}',
      timestamp: {
        at: { header: 'X-Front-Request-Timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 300,
      },
    },
    handshakes: [
      {
        when: { method: 'POST', has: [{ header: 'X-Front-Challenge' }] },
        echo: { header: 'X-Front-Challenge' },
        as: { text: true },
      },
    ],
    eventType: ['$.type'],
    deliveryId: ['$.payload.id'],
    notes:
      'For webhooks of an application. Those of the older rules are signed in another way and refused.',
  },
  {
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
  },
]
