/** The platforms from Circle to Cloudinary. */
import type { Preset } from '../preset.ts'
import { verifyCircle } from '../platforms/circle.verifier.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const ciCl: readonly Preset[] = [
  {
    source: 'circle',
    name: 'Circle',
    description: 'Circle Wallets (W3S), CPN and v2 notifications.',
    mode: 'asymmetric',
    docs: 'https://developers.circle.com/w3s/webhook-notifications',
    configKeys: [
      {
        name: 'api_key',
        secret: true,
        required: true,
        meaning: 'An API key of Circle: its public keys are shown to its customers alone.',
      },
    ],
    verify: { kind: 'odd', verify: verifyCircle, headers: ['X-Circle-Signature'] },
    handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
    eventType: ['$.notificationType'],
    deliveryId: ['$.notificationId'],
    notes:
      'For wallets, the payments network and other notifications of version 2. Circle Mint sends through Amazon SNS: use aws-sns for it.',
  },
  {
    source: 'circleci',
    name: 'CircleCI',
    description: 'CircleCI outbound webhooks for workflow-completed and job-completed.',
    mode: 'hmac',
    docs: 'https://circleci.com/docs/outbound-webhooks/#validate-webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'circleci-signature' },
        format: { kind: 'list', separator: ',', prefix: 'v1=' },
      },
      signed: '{body}',
    },
    eventType: ['$.headers.circleci-event-type', '$.type'],
    deliveryId: ['$.id'],
    notes: 'The signature is there only when the webhook has a secret.',
  },
  {
    source: 'clerk',
    name: 'Clerk',
    description:
      'User, organization and session events from Clerk, delivered and signed through Svix.',
    mode: 'hmac_timestamped',
    docs: 'https://clerk.com/docs/reference/backend/verify-webhook',
    configKeys: [SECRET],
    verify: { kind: 'any', of: [standardWebhooks('svix'), standardWebhooks('webhook')] },
    eventType: ['$.type'],
    deliveryId: ['$.headers.svix-id', '$.headers.webhook-id'],
  },
  {
    source: 'close',
    name: 'Close CRM',
    description: 'Close CRM webhook subscriptions.',
    mode: 'hmac_timestamped',
    docs: 'https://developer.close.com/topics/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'close-sig-hash' } },
      signed: '{t}{body}',
      key: { config: 'secret', as: 'hex' },
      timestamp: { at: { header: 'close-sig-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['{$.event.object_type}.{$.event.action}', '$.event.object_type'],
    deliveryId: ['$.event.id'],
    notes: 'Enter the signature key of the webhook, in hex as it is shown.',
  },
  {
    source: 'cloudflare',
    name: 'Cloudflare Notifications',
    description:
      'Cloudflare account notification webhooks (generic destination), authenticated by a shared secret header.',
    mode: 'token',
    docs: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
    configKeys: [SECRET],
    verify: { kind: 'token', at: { header: 'cf-webhook-auth' }, config: 'secret' },
    eventType: ['$.alert_type'],
    deliveryId: [],
    notes:
      'Cloudflare signs nothing: it sends the secret itself. Its first message, a test, is an event like any other.',
  },
  {
    source: 'cloudflare-stream',
    name: 'Cloudflare Stream',
    description:
      'Cloudflare Stream video-ready and error webhooks with a timestamped HMAC signature.',
    mode: 'hmac_timestamped',
    docs: 'https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Webhook-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'sig1', timestamp: 'time' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.status.state'],
    deliveryId: ['{$.uid}:{$.status.state}'],
    notes: 'Enter the secret that the Stream API answered when the webhook was set.',
  },
  {
    source: 'cloudinary',
    name: 'Cloudinary',
    description: 'Cloudinary upload, eager and moderation notifications.',
    mode: 'provider_specific',
    docs: 'https://cloudinary.com/documentation/notification_signatures',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The API secret of the product environment.',
      },
      {
        name: 'algorithm',
        secret: false,
        required: false,
        meaning: 'The account’s signature algorithm. Default: sha1.',
        values: ['sha1', 'sha256'],
      },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha1',
          encoding: 'hex',
          signature: { at: { header: 'X-Cld-Signature' } },
          signed: '{body}{t}{key}',
          bareHash: true,
          timestamp: { at: { header: 'X-Cld-Timestamp' }, unit: 'seconds', toleranceSeconds: 7200 },
          needs: ['algorithm?=sha1'],
        },
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { at: { header: 'X-Cld-Signature' } },
          signed: '{body}{t}{key}',
          bareHash: true,
          timestamp: { at: { header: 'X-Cld-Timestamp' }, unit: 'seconds', toleranceSeconds: 7200 },
          needs: ['algorithm=sha256'],
        },
      ],
    },
    eventType: ['$.notification_type'],
    deliveryId: ['$.request_id'],
  },
]
