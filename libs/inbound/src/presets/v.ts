/** The platforms from Vercel to Vonage. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const v: readonly Preset[] = [
  {
    source: 'vercel',
    name: 'Vercel',
    description: 'Deployment, project and integration events from Vercel.',
    mode: 'hmac',
    docs: 'https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('x-vercel-signature', { algorithm: 'sha1' }),
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes:
      'The secret is the webhook’s own; for webhooks of an integration it is the integration’s client secret.',
  },
  {
    source: 'veriff',
    name: 'Veriff',
    description: "Veriff decision and event webhooks signed with the integration's shared secret.",
    mode: 'hmac',
    docs: 'https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security',
    configKeys: [
      { ...SECRET, meaning: 'The integration’s shared secret key.' },
      {
        name: 'api_key',
        secret: false,
        required: false,
        meaning: 'The integration’s API key, which Veriff sends besides; compared when it is set.',
      },
    ],
    verify: {
      kind: 'all',
      of: [
        {
          kind: 'any',
          of: [bodyHmac('X-HMAC-SIGNATURE'), bodyHmac('VRF-HMAC-SIGNATURE')],
        },
        {
          kind: 'any',
          needs: ['api_key'],
          of: [
            { kind: 'token', at: { header: 'X-AUTH-CLIENT' }, config: 'api_key' },
            { kind: 'token', at: { header: 'VRF-AUTH-CLIENT' }, config: 'api_key' },
          ],
        },
      ],
    },
    eventType: ['$.action', '$.verification.status'],
    deliveryId: [],
  },
  {
    source: 'viber',
    name: 'Viber',
    description: 'Viber bot callbacks.',
    mode: 'hmac',
    docs: 'https://developers.viber.com/docs/api/rest-bot-api/#callbacks',
    configKeys: [{ ...SECRET, meaning: 'The bot’s auth token.' }],
    verify: bodyHmac('X-Viber-Content-Signature'),
    handshakes: [
      {
        signed: true,
        when: { method: 'POST', equals: [{ at: { json: '$.event' }, text: 'webhook' }] },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.event'],
    // Delivered and seen have the message's own number.
    deliveryId: ['{$.event}:{$.message_token}:{$.timestamp}'],
    accepted: { status: 200 },
  },
  {
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
  },
]
