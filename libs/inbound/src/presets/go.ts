/** The platforms from GoCardless to Google Drive push. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { WATCH_CHANNEL } from '../schemes/google-watch.ts'
import { PUBLIC_KEY, SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const go: readonly Preset[] = [
  {
    source: 'gocardless',
    name: 'GoCardless',
    description: 'Direct-debit event batches signed over the raw body',
    mode: 'hmac',
    docs: 'https://developer.gocardless.com/getting-started/stay-up-to-date-with-webhooks-v2/',
    configKeys: [SECRET],
    verify: bodyHmac('Webhook-Signature'),
    eventType: ['$.events[*].action'],
    deliveryId: ['$.meta.webhook_id'],
    notes: 'A request holds several events, which travel as one; its type is that of the first.',
  },
  {
    source: 'gogs',
    name: 'Gogs',
    description: 'Gogs repository webhooks.',
    mode: 'hmac',
    docs: 'https://gogs.io/docs/features/webhook.html',
    configKeys: [SECRET],
    verify: bodyHmac('X-Gogs-Signature'),
    eventType: ['$.headers.X-Gogs-Event'],
    deliveryId: ['$.headers.X-Gogs-Delivery'],
    notes:
      'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
  },
  {
    source: 'gong',
    name: 'Gong',
    description: 'Gong automation-rule webhooks with signed JWT authentication.',
    mode: 'jwt',
    docs: 'https://help.gong.io/docs/create-a-webhook-rule',
    configKeys: [PUBLIC_KEY, WEBHOOK_URL],
    verify: {
      kind: 'jwt',
      at: { header: 'Authorization' },
      scheme: 'Bearer ',
      optionalScheme: true,
      algorithms: ['RS256'],
      key: { config: 'public_key' },
      claims: [
        { claim: 'webhook_url', is: { text: '{url}' } },
        { claim: 'body_sha256', is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' } },
      ],
    },
    eventType: [],
    deliveryId: ['$.callData.metaData.id'],
    notes:
      'Choose Signed JWT header in the rule, and copy its public key. When a rule is run again for the same call, that is no second event.',
  },
  {
    source: 'google-calendar',
    name: 'Google Calendar push',
    description: 'Calendar watch-channel pings that repeat your channel token',
    mode: 'token',
    docs: 'https://developers.google.com/workspace/calendar/api/guides/push',
    ...WATCH_CHANNEL,
    notes:
      'The notification has no body: ask Google for what has changed. Make the channel with a token, or nothing proves who sends.',
  },
  {
    source: 'google-cloud-pubsub',
    name: 'Google Cloud Pub/Sub (push)',
    description: 'Push deliveries authenticated with a Google-signed OIDC token',
    mode: 'jwt',
    docs: 'https://docs.cloud.google.com/pubsub/docs/authenticate-push-subscriptions',
    configKeys: [
      {
        name: 'audience',
        secret: false,
        required: false,
        meaning:
          'The audience of the subscription’s push authentication. Default: the receiver’s URL.',
      },
      {
        name: 'service_account_email',
        secret: false,
        required: true,
        meaning:
          'The service account of the push authentication: every other project could have a token made for your audience.',
      },
    ],
    verify: {
      kind: 'jwt',
      at: { header: 'Authorization' },
      scheme: 'Bearer ',
      algorithms: ['RS256'],
      key: { jwks: 'https://www.googleapis.com/oauth2/v3/certs' },
      issuer: ['https://accounts.google.com', 'accounts.google.com'],
      audience: { config: 'audience', or: 'receiver-url' },
      claims: [
        { claim: 'email', is: { text: '{config:service_account_email}' } },
        { claim: 'email_verified', is: { text: 'true' } },
      ],
    },
    eventType: ['$.message.attributes.eventType'],
    deliveryId: ['$.message.messageId', '$.headers.x-goog-pubsub-message-id'],
    notes:
      'Switch on authentication for the push subscription. The type is the attribute eventType, when the publisher sets one. The token says who sends, not what: the body is protected by TLS alone.',
  },
  {
    source: 'google-drive',
    name: 'Google Drive push',
    description: 'Drive watch-channel pings that repeat your channel token',
    mode: 'token',
    docs: 'https://developers.google.com/workspace/drive/api/guides/push',
    ...WATCH_CHANNEL,
    notes:
      'The notification says little more than that something has changed: ask Google for it. Make the channel with a token, or nothing proves who sends.',
  },
]
