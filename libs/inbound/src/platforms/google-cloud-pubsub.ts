/** The preset of Google Cloud Pub/Sub (push). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
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
        'The audience of the subscription’s push authentication. Default: the inbound endpoint’s URL.',
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
    audience: { config: 'audience', or: 'webhook-url' },
    claims: [
      { claim: 'email', is: { text: '{config:service_account_email}' } },
      { claim: 'email_verified', is: { text: 'true' } },
    ],
  },
  eventType: ['$.message.attributes.eventType'],
  deliveryId: ['$.message.messageId', '$.headers.x-goog-pubsub-message-id'],
  notes:
    'Switch on authentication for the push subscription. The type is the attribute eventType, when the publisher sets one. The token says who sends, not what: the body is protected by TLS alone.',
}
