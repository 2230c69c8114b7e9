/** The platforms from EasyPost to Eventbrite. */
import type { Preset } from '../preset.ts'
import { answerEbay, verifyEbay } from '../platforms/ebay.verifier.ts'
import { SECRET, URL_TOKEN } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const e: readonly Preset[] = [
  {
    source: 'easypost',
    name: 'EasyPost',
    description: 'EasyPost tracker, batch and shipment events.',
    mode: 'hmac',
    docs: 'https://docs.easypost.com/guides/webhooks-guide',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Hmac-Signature' },
        format: { kind: 'bare', prefix: 'hmac-sha256-hex=' },
      },
      signed: '{body}',
      key: { config: 'secret', as: 'utf8-nfkd' },
    },
    eventType: ['$.description'],
    deliveryId: ['$.id'],
  },
  {
    source: 'ebay',
    name: 'eBay',
    description: 'eBay Notification API (marketplace account deletion and other topics).',
    mode: 'asymmetric',
    docs: 'https://developer.ebay.com/api-docs/commerce/notification/overview.html',
    configKeys: [
      {
        name: 'client_id',
        secret: false,
        required: true,
        meaning: 'The App ID of the application.',
      },
      {
        name: 'client_secret',
        secret: true,
        required: true,
        meaning: 'Its Cert ID: eBay shows its public keys to applications.',
      },
      {
        name: 'verification_token',
        secret: true,
        required: true,
        meaning: 'The verification token that was entered at eBay with the URL.',
      },
      {
        name: 'endpoint_url',
        secret: false,
        required: false,
        meaning: 'The URL as it was entered at eBay, when it is not the receiver’s own.',
      },
    ],
    verify: { kind: 'odd', verify: verifyEbay, headers: ['x-ebay-signature'] },
    handshakes: [{ when: { method: 'GET', has: [{ query: 'challenge_code' }] }, odd: answerEbay }],
    eventType: ['$.metadata.topic'],
    deliveryId: ['$.notification.notificationId'],
    notes: 'For the production environment; eBay’s sandbox has other keys.',
  },
  {
    source: 'etsy',
    name: 'Etsy',
    description: 'Etsy Open API shop webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://developers.etsy.com/documentation/essentials/webhooks',
    configKeys: [SECRET],
    verify: { kind: 'any', of: [standardWebhooks('webhook'), standardWebhooks('svix')] },
    eventType: ['$.event_type'],
    deliveryId: ['$.headers.webhook-id', '$.headers.svix-id'],
    notes:
      'For apps with commercial access. The names of the headers are not confirmed by the platform’s documents.',
  },
  {
    source: 'eventbrite',
    name: 'Eventbrite',
    description: 'Eventbrite attendee, order and event webhooks.',
    mode: 'token',
    docs: 'https://www.eventbrite.com/platform/docs/webhooks',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.config.action', '$.headers.X-Eventbrite-Event'],
    deliveryId: ['$.headers.X-Eventbrite-Delivery'],
    notes:
      'Eventbrite signs nothing: the token in the URL is all that protects the receiver, so ask Eventbrite for what api_url names. Not confirmed by the platform’s documents.',
  },
]
