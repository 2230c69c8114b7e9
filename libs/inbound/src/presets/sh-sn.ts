/** The platforms from ShipBob to Snyk. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { withKind } from '../schemes/member-named.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const shSn: readonly Preset[] = [
  {
    source: 'shipbob',
    name: 'ShipBob',
    description: 'ShipBob fulfillment, return and billing webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://developer.shipbob.com/webhooks',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.headers.x-webhook-topic'],
    deliveryId: ['$.headers.webhook-id'],
  },
  {
    source: 'shippo',
    name: 'Shippo',
    description: 'Shippo track, transaction and batch webhooks with HMAC enabled.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.goshippo.com/docs/tracking/webhooksecurity/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Shippo-Auth-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.event'],
    deliveryId: [],
    notes: 'Shippo signs on request only: ask its support for an HMAC secret.',
  },
  {
    source: 'shipstation',
    name: 'ShipStation / ShipEngine',
    description: 'ShipStation API v2 / ShipEngine webhooks.',
    mode: 'asymmetric',
    docs: 'https://docs.shipstation.com/webhooks',
    configKeys: [],
    verify: {
      kind: 'asymmetric',
      algorithm: 'rsa-sha256',
      encoding: 'base64',
      signature: { at: { header: 'x-shipengine-rsa-sha256-signature' } },
      signed: '{t}.{body}',
      key: {
        jwks: 'https://api.shipengine.com/jwks',
        kid: { header: 'x-shipengine-rsa-sha256-key-id' },
      },
      timestamp: {
        at: { header: 'x-shipengine-timestamp' },
        unit: 'iso8601',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$.resource_type'],
    deliveryId: [],
    notes:
      'Nothing to configure: the keys are published. They are the same for all customers, so the signature tells that ShipStation sent it, not for whom. Webhooks of the old API v1 are not signed and are refused.',
  },
  {
    source: 'shopify',
    name: 'Shopify',
    description: 'Store and app webhooks signed with the app client secret',
    mode: 'hmac',
    docs: 'https://shopify.dev/docs/apps/build/webhooks/verify-deliveries',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [
        bodyHmac('X-Shopify-Hmac-Sha256', { encoding: 'base64' }),
        bodyHmac('shopify-hmac-sha256', { encoding: 'base64' }),
      ],
    },
    eventType: ['$.headers.X-Shopify-Topic', '$.headers.shopify-topic'],
    deliveryId: ['$.headers.X-Shopify-Webhook-Id', '$.headers.shopify-webhook-id'],
    notes:
      'The secret is the app’s client secret; for webhooks made in the admin pages it stands under Notifications, Webhooks. For an hour after a change Shopify may sign with the old secret: keep both meanwhile.',
  },
  {
    source: 'sinch',
    name: 'Sinch (Conversation)',
    description: 'Sinch Conversation API (and newer Sinch Events) webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://developers.sinch.com/docs/conversation/callbacks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'x-sinch-webhook-signature' } },
      signed: '{body}.{header:x-sinch-webhook-signature-nonce}.{t}',
      timestamp: {
        at: { header: 'x-sinch-webhook-signature-timestamp' },
        unit: 'seconds',
        toleranceSeconds: 300,
      },
    },
    unpack: (document) =>
      withKind(document, (_, value) => typeof value === 'object' && value !== null),
    eventType: ['$.kind'],
    deliveryId: [],
  },
  {
    source: 'sinch-numbers',
    name: 'Sinch Numbers',
    description: 'Sinch Numbers API provisioning callbacks.',
    mode: 'hmac',
    docs: 'https://developers.sinch.com/docs/numbers/api-reference/numbers/numbers-callbacks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Sinch-Signature', { algorithm: 'sha1' }),
    eventType: ['$.eventType'],
    deliveryId: ['$.eventId'],
  },
  {
    source: 'slack',
    name: 'Slack',
    description:
      'Events API, slash commands and interactivity requests signed with the app signing secret',
    mode: 'hmac_timestamped',
    docs: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-Slack-Signature' }, format: { kind: 'bare', prefix: 'v0=' } },
      signed: 'v0:{t}:{body}',
      timestamp: {
        at: { header: 'X-Slack-Request-Timestamp' },
        unit: 'seconds',
        toleranceSeconds: 300,
      },
    },
    handshakes: [
      // Slack looks now and then whether the certificate is good.
      { when: { method: 'GET', has: [{ query: 'ssl_check' }] }, answer: { status: 200 } },
      {
        when: { method: 'POST', equals: [{ at: { form: 'ssl_check' }, text: '1' }] },
        answer: { status: 200 },
      },
      {
        signed: true,
        when: { method: 'POST', equals: [{ at: { json: '$.type' }, text: 'url_verification' }] },
        echo: { json: '$.challenge' },
        as: { text: true },
      },
    ],
    eventType: ['$.event.type', '$.type', '$.command'],
    deliveryId: ['$.event_id'],
    // A body would be shown to who gave a slash command.
    accepted: { status: 200, body: '' },
    notes: 'A slash command gets an empty answer: reply by its response_url.',
  },
  {
    source: 'snyk',
    name: 'Snyk',
    description: 'Snyk project_snapshot and ping webhooks signed in X-Hub-Signature.',
    mode: 'hmac',
    docs: 'https://docs.snyk.io/snyk-api/how-to-use-snyk-webhooks-apis/validation-and-versioning-of-payloads',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
    handshakes: [
      {
        signed: true,
        when: { method: 'POST', equals: [{ at: { header: 'X-Snyk-Event' }, text: 'ping/v0' }] },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.headers.X-Snyk-Event'],
    deliveryId: ['$.headers.X-Snyk-Transport-ID'],
  },
]
