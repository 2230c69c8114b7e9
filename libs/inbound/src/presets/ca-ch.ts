/** The platforms from Cal.com to Checkr. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME, SECRET } from '../schemes/config-keys.ts'

export const caCh: readonly Preset[] = [
  {
    source: 'cal-com',
    name: 'Cal.com',
    description: 'Booking events signed over the raw body',
    mode: 'hmac',
    docs: 'https://cal.com/docs/developing/guides/automation/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Cal-Signature-256'),
    eventType: ['$.triggerEvent'],
    deliveryId: [],
    notes:
      'Give the webhook a secret. With a payload template of your own the type is found where it has triggerEvent.',
  },
  {
    source: 'calendly',
    name: 'Calendly',
    description: 'Invitee and routing-form events with a timestamped HMAC',
    mode: 'hmac_timestamped',
    docs: 'https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Calendly-Webhook-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 180 },
    },
    eventType: ['$.event'],
    deliveryId: ['{$.event}:{$.payload.uri}:{$.created_at}'],
    notes:
      'Enter the signing key that was given when the subscription was made. What is older than three minutes is refused.',
  },
  {
    source: 'canva',
    name: 'Canva',
    description: 'Canva Connect API webhooks (preview).',
    mode: 'jwt',
    docs: 'https://www.canva.dev/docs/connect/webhooks/',
    configKeys: [
      {
        name: 'client_id',
        secret: false,
        required: true,
        meaning: 'The client id of the integration.',
      },
    ],
    verify: {
      kind: 'jwt',
      at: { wholeBody: true },
      algorithms: ['EdDSA'],
      key: { jwks: 'https://api.canva.com/rest/v1/connect/keys' },
      audience: { config: 'client_id' },
      maxAgeSeconds: 300,
      event: {},
    },
    eventType: ['$.content.type'],
    deliveryId: [],
    notes:
      'Canva’s webhooks are a preview, closed to public integrations. That the body is a token is not confirmed by the platform’s documents.',
  },
  {
    source: 'cashfree',
    name: 'Cashfree',
    description: 'Cashfree Payments gateway and payouts webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://www.cashfree.com/docs/payments/online/webhooks/signature-verification',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'x-webhook-signature' } },
      signed: '{t}{body}',
      timestamp: {
        at: { header: 'x-webhook-timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$.type'],
    deliveryId: ['$.headers.x-idempotency-key'],
  },
  {
    source: 'chargebee',
    name: 'Chargebee',
    description: 'Billing events; not signed, HTTP Basic credentials on the endpoint',
    mode: 'basic_auth',
    docs: 'https://www.chargebee.com/docs/2.0/webhook_settings.html',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: { kind: 'basic' },
    eventType: ['$.event_type'],
    deliveryId: ['$.id'],
    notes: 'Chargebee signs nothing: switch on basic authentication for the webhook.',
  },
  {
    source: 'checkout-com',
    name: 'Checkout.com',
    description:
      'Payment events signed over the raw body; an extra static Authorization key is optional',
    mode: 'hmac',
    docs: 'https://www.checkout.com/docs/developer-resources/event-notifications/receive-webhooks',
    configKeys: [
      SECRET,
      {
        name: 'authorization_key',
        secret: true,
        required: false,
        meaning:
          'The authorization header key of the webhook, when it has one: demanded then beside the signature.',
      },
    ],
    verify: {
      kind: 'all',
      of: [
        bodyHmac('Cko-Signature'),
        {
          kind: 'token',
          at: { header: 'Authorization' },
          config: 'authorization_key',
          needs: ['authorization_key'],
        },
      ],
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
  {
    source: 'checkr',
    name: 'Checkr',
    description: "Checkr background-check events signed with the account's API key.",
    mode: 'hmac',
    docs: 'https://docs.checkr.com/#section/Webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Checkr-Signature'),
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes: 'The secret is the API key of the account.',
  },
]
