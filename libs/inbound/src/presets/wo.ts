/** The platforms from WooCommerce to Access Worldpay. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const wo: readonly Preset[] = [
  {
    source: 'woocommerce',
    name: 'WooCommerce',
    description: 'WooCommerce store webhooks (orders, products, customers).',
    mode: 'hmac',
    docs: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks',
    configKeys: [
      {
        ...SECRET,
        meaning:
          'The webhook’s secret. Best without <, >, & and quotes, which WooCommerce reads in a way of its own.',
      },
    ],
    verify: bodyHmac('X-WC-Webhook-Signature', { encoding: 'base64' }),
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ form: 'webhook_id' }],
          hasNot: [{ header: 'X-WC-Webhook-Signature' }, { header: 'X-WC-Webhook-Topic' }],
        },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.headers.X-WC-Webhook-Topic'],
    deliveryId: ['$.headers.X-WC-Webhook-Delivery-ID'],
  },
  {
    source: 'workos',
    name: 'WorkOS',
    description: 'WorkOS directory-sync, SSO, user-management and audit events.',
    mode: 'hmac_timestamped',
    docs: 'https://workos.com/docs/events/data-syncing/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'WorkOS-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: 180 },
    },
    eventType: ['$.event'],
    deliveryId: ['$.id'],
    notes: 'Requests of WorkOS Actions need a signed answer and are not for this.',
  },
  {
    source: 'worldpay',
    name: 'Access Worldpay',
    description: 'Access Worldpay event webhooks.',
    mode: 'hmac',
    docs: 'https://developer.worldpay.com/products/access/events/signature/',
    configKeys: [
      { ...SECRET, meaning: 'The shared secret, which Worldpay issues on request.' },
      {
        name: 'key_id',
        secret: false,
        required: true,
        meaning: 'The number of that secret, as it stands before the signature.',
      },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Event-Signature' },
        format: { kind: 'list', separator: ',', prefix: '{config:key_id}/SHA256/' },
      },
      signed: '{body}',
    },
    eventType: ['$.eventDetails.type'],
    deliveryId: ['$.eventId'],
    accepted: { status: 200 },
    notes:
      'Ask Worldpay to send the Event-Signature header. When it changes the secret, set the new one with its number.',
  },
]
