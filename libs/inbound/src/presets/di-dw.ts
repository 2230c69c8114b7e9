/** The platforms from Dialpad to Dwolla. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET, URL_TOKEN } from '../schemes/config-keys.ts'

export const diDw: readonly Preset[] = [
  {
    source: 'dialpad',
    name: 'Dialpad',
    description: 'Dialpad call, SMS and contact event subscriptions.',
    mode: 'jwt',
    docs: 'https://developers.dialpad.com/docs/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'jwt',
      at: { wholeBody: true },
      algorithms: ['HS256'],
      key: { config: 'secret', as: 'utf8' },
      event: {},
    },
    eventType: ['$.state'],
    deliveryId: ['{$.call_id}:{$.state}:{$.event_timestamp}'],
    notes:
      'Make the webhook with a secret: without one Dialpad sends plain JSON, which is refused. The event is what the token says.',
  },
  {
    source: 'discord',
    name: 'Discord',
    description: 'Discord interactions and application webhook events.',
    mode: 'asymmetric',
    docs: 'https://docs.discord.com/developers/interactions/overview',
    configKeys: [
      {
        name: 'public_key',
        secret: false,
        required: true,
        meaning: 'The public key of the application, as Discord’s developer portal shows it.',
      },
    ],
    verify: {
      kind: 'asymmetric',
      algorithm: 'ed25519',
      encoding: 'hex',
      signature: { at: { header: 'X-Signature-Ed25519' } },
      signed: '{t}{body}',
      key: { config: 'public_key' },
      timestamp: {
        at: { header: 'X-Signature-Timestamp' },
        unit: 'seconds',
        toleranceSeconds: null,
      },
    },
    handshakes: [
      {
        when: {
          method: 'POST',
          equals: [{ at: { json: '$.type' }, text: '1' }],
          hasNot: [{ json: '$.event.type' }],
        },
        signed: true,
        answer: { status: 200, body: '{"type":1}', type: 'application/json' },
      },
      {
        when: { method: 'POST', equals: [{ at: { json: '$.type' }, text: '0' }] },
        signed: true,
        answer: { status: 204 },
      },
    ],
    eventType: ['$.event.type', '$.type'],
    deliveryId: ['$.id'],
    notes:
      'Made for webhook events. Interactions are verified too, but they want an answer of their own within three seconds, which a receiver does not give.',
  },
  {
    source: 'docker-hub',
    name: 'Docker Hub',
    description: 'Docker Hub repository push webhooks; unsigned.',
    mode: 'token',
    docs: 'https://docs.docker.com/docker-hub/repos/manage/webhooks/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: [],
    deliveryId: [],
    notes:
      'Docker Hub signs nothing: the token in the URL is all that protects the receiver. Every event is a push of an image.',
  },
  {
    source: 'docusign',
    name: 'DocuSign Connect',
    description: 'Envelope events with one HMAC header per configured key',
    mode: 'hmac',
    docs: 'https://developers.docusign.com/platform/webhooks/connect/validate/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { numberedHeader: 'X-DocuSign-Signature-' } },
      signed: '{body}',
    },
    eventType: ['$.event'],
    deliveryId: ['{$.data.envelopeId}:{$.event}:{$.generatedDateTime}'],
    accepted: { status: 200 },
    notes:
      'Enter the Connect HMAC key as it is shown, with its last =. Types and ids are found in JSON; for XML the type is docusign.event.',
  },
  {
    source: 'doppler',
    name: 'Doppler',
    description: 'Doppler secret-change webhooks.',
    mode: 'hmac',
    docs: 'https://docs.doppler.com/docs/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Doppler-Signature', { prefix: 'sha256=' }),
    eventType: ['$.type'],
    deliveryId: [],
  },
  {
    source: 'dropbox',
    name: 'Dropbox',
    description: 'Account change pings signed with the app secret',
    mode: 'hmac',
    docs: 'https://www.dropbox.com/developers/reference/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Dropbox-Signature'),
    handshakes: [
      {
        when: { method: 'GET', has: [{ query: 'challenge' }] },
        echo: { query: 'challenge' },
        as: { text: true },
      },
    ],
    eventType: [],
    deliveryId: [],
    neverDeduplicated: true,
    notes: 'A notification names accounts only: ask Dropbox for the changes.',
  },
  {
    source: 'dwolla',
    name: 'Dwolla',
    description: 'Transfer and customer events signed over the raw body',
    mode: 'hmac',
    docs: 'https://developers.dwolla.com/docs/balance/webhooks/process-validate',
    configKeys: [SECRET],
    verify: bodyHmac('X-Request-Signature-SHA-256'),
    eventType: ['$.topic'],
    deliveryId: ['$.id'],
    notes: 'The secret is the one that was given when the subscription was made.',
  },
]
