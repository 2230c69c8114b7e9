/** The platforms from Railway to Rootly. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  HEADER_NAME,
  OPTIONAL_SECRET,
  PASSWORD,
  SECRET,
  URL_TOKEN,
  USERNAME,
} from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const r: readonly Preset[] = [
  {
    source: 'railway',
    name: 'Railway',
    description: 'Railway deployment status and resource alerts; requests are not signed.',
    mode: 'token',
    docs: 'https://docs.railway.com/observability/webhooks',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.type'],
    deliveryId: [],
    notes:
      'Railway signs nothing: whoever knows the URL with its token is believed. Its test is sent by your browser, which may not let it out.',
  },
  {
    source: 'razorpay',
    name: 'Razorpay',
    description: 'Payment events signed over the raw body',
    mode: 'hmac',
    docs: 'https://razorpay.com/docs/webhooks/validate-test/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Razorpay-Signature'),
    eventType: ['$.event'],
    deliveryId: ['$.headers.x-razorpay-event-id'],
  },
  {
    source: 'recurly',
    name: 'Recurly',
    description:
      'JSON webhooks with a millisecond timestamp and one or more HMACs; XML webhooks are unsigned',
    mode: 'hmac_timestamped',
    docs: 'https://docs.recurly.com/recurly-subscriptions/docs/signature-verification',
    configKeys: [{ ...OPTIONAL_SECRET, meaning: 'The endpoint’s secret key.' }, USERNAME, PASSWORD],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: {
            at: { header: 'recurly-signature' },
            format: { kind: 'list', separator: ',', firstIs: 't' },
          },
          signed: '{t}.{body}',
          // The documents say milliseconds, and show an example in seconds.
          timestamp: { at: 'signature', unit: 'auto', toleranceSeconds: 300 },
          needs: ['secret'],
        },
        { ...BASIC, needs: ['username', 'password', '!secret'] },
      ],
    },
    eventType: ['{$.object_type}.{$.event_type}', '$.event_type'],
    deliveryId: ['$.id'],
    notes:
      'XML webhooks are not signed: they need a name and a password, which are looked at while no secret is set.',
  },
  {
    source: 'render',
    name: 'Render',
    description: 'Render service, deploy and datastore events, signed per Standard Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://render.com/docs/webhooks',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.type'],
    deliveryId: ['$.headers.webhook-id'],
  },
  {
    source: 'replicate',
    name: 'Replicate',
    description:
      'Prediction and training lifecycle callbacks from Replicate, signed per Standard Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://replicate.com/docs/topics/webhooks/verify-webhook',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.status'],
    deliveryId: ['$.headers.webhook-id'],
    notes: 'The body is the prediction itself: its status, as succeeded, stands for the type.',
  },
  {
    source: 'resend',
    name: 'Resend',
    description:
      'Email delivery, bounce, open and contact events from Resend, signed with Svix headers.',
    mode: 'hmac_timestamped',
    docs: 'https://resend.com/docs/webhooks/verify-webhooks-requests',
    configKeys: [SECRET],
    verify: standardWebhooks('svix'),
    eventType: ['$.type'],
    deliveryId: ['$.headers.svix-id'],
  },
  {
    source: 'ringcentral',
    name: 'RingCentral',
    description: 'RingCentral subscription notifications over WebHook transport.',
    mode: 'token',
    docs: 'https://developers.ringcentral.com/guide/notifications/webhooks/creating-webhooks',
    configKeys: [
      {
        name: 'token',
        secret: true,
        required: true,
        meaning: 'The subscription’s verificationToken, or its validation token.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        { kind: 'token', at: { header: 'Verification-Token' }, config: 'token' },
        { kind: 'token', at: { header: 'Validation-Token' }, config: 'token' },
      ],
    },
    handshakes: [
      {
        when: { method: 'POST', has: [{ header: 'Validation-Token' }], emptyBody: true },
        echo: { header: 'Validation-Token' },
        as: { header: 'Validation-Token' },
      },
    ],
    eventType: ['$.event'],
    deliveryId: ['$.uuid'],
  },
  {
    source: 'rippling',
    name: 'Rippling',
    description:
      'Rippling app webhooks; signing scheme could not be confirmed from public documentation.',
    mode: 'hmac',
    docs: 'https://developer.rippling.com/',
    configKeys: [
      SECRET,
      { ...HEADER_NAME, meaning: 'The header of the signature. Default: X-Rippling-Signature.' },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { headerNamedBy: 'header_name', or: 'X-Rippling-Signature' } },
      signed: '{body}',
    },
    eventType: [],
    deliveryId: [],
    notes: 'Not confirmed by the platform’s documents. Give the receiver an eventTypeMapping.',
  },
  {
    source: 'rollbar',
    name: 'Rollbar',
    description:
      'Rollbar notification webhooks (items, occurrences, deploys); no documented signature.',
    mode: 'token',
    docs: 'https://docs.rollbar.com/docs/webhooks',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.event_name'],
    deliveryId: [],
    notes: 'Rollbar signs nothing: whoever knows the URL with its token is believed.',
  },
  {
    source: 'rootly',
    name: 'Rootly',
    description: 'Rootly incident, alert and retrospective webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.rootly.com/configuration/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Rootly-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.event.type'],
    deliveryId: ['$.event.id'],
  },
]
