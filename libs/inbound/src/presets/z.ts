/** The platforms from Zendesk to Zoom. */
import { zohoBooksContent } from '../odd/zoho-books.ts'
import type { HmacRule, Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const z: readonly Preset[] = [
  {
    source: 'zendesk',
    name: 'Zendesk',
    description: 'Support webhooks with a timestamped HMAC',
    mode: 'hmac_timestamped',
    docs: 'https://developer.zendesk.com/documentation/webhooks/verifying/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'X-Zendesk-Webhook-Signature' } },
      signed: '{t}{body}',
      timestamp: {
        at: { header: 'X-Zendesk-Webhook-Signature-Timestamp' },
        unit: 'iso8601',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$.type'],
    deliveryId: ['$.headers.X-Zendesk-Webhook-Invocation-Id'],
    notes:
      'The test before the webhook is made is signed with a secret of Zendesk’s for tests, and is refused.',
  },
  {
    source: 'zoho-books',
    name: 'Zoho Books / Billing',
    description: 'Zoho Books / Billing / Inventory workflow webhooks with a secret token.',
    mode: 'provider_specific',
    docs: 'https://www.zoho.com/us/subscriptions/kb/webhooks/securing-webhooks.html',
    configKeys: [
      { ...SECRET, meaning: 'The webhook’s secret token: 12 to 50 letters and digits.' },
      {
        ...WEBHOOK_URL,
        meaning: 'The URL as it was entered at Zoho, when its query is not the one that arrives.',
      },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-Zoho-Webhook-Signature' } },
      signed: 'names and values of the query and the form, sorted by name, and the JSON body',
      content: zohoBooksContent,
    },
    eventType: [],
    deliveryId: [],
    notes:
      'You design the body yourself: give the receiver an eventTypeMapping to where you put a type. That the signature is hexadecimal is not confirmed by the platform’s documents.',
  },
  {
    source: 'zoho-payments',
    name: 'Zoho Payments',
    description: 'Zoho Payments webhook events.',
    mode: 'hmac_timestamped',
    docs: 'https://www.zoho.com/in/payments/developerdocs/webhooks/verification/',
    configKeys: [SECRET],
    // The documents write the header in both ways.
    verify: {
      kind: 'any',
      of: [zohoSignature('X-Zoho-Webhook-Signature'), zohoSignature('X-ZohoWebhook-Signature')],
    },
    eventType: ['$.event_type'],
    deliveryId: ['$.event_id'],
  },
  {
    source: 'zoom',
    name: 'Zoom',
    description:
      'Marketplace app events with a timestamped HMAC and a recurring endpoint validation',
    mode: 'hmac_timestamped',
    docs: 'https://developers.zoom.us/docs/api/webhooks/',
    configKeys: [{ ...SECRET, meaning: 'The app’s secret token.' }],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'x-zm-signature' }, format: { kind: 'bare', prefix: 'v0=' } },
      signed: 'v0:{t}:{body}',
      timestamp: { at: { header: 'x-zm-request-timestamp' }, unit: 'auto', toleranceSeconds: 300 },
    },
    handshakes: [
      {
        // Only once it is verified: the answer is a signature, made for whoever asks.
        signed: true,
        when: {
          method: 'POST',
          equals: [{ at: { json: '$.event' }, text: 'endpoint.url_validation' }],
        },
        echo: { json: '$.payload.plainToken' },
        as: {
          hash: 'encryptedToken',
          beside: 'plainToken',
          key: 'secret',
          encoding: 'hex',
          alphabet: /^[A-Za-z0-9_-]{1,200}$/,
        },
      },
    ],
    eventType: ['$.event'],
    deliveryId: [],
    accepted: { status: 200 },
  },
]

function zohoSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header },
      format: { kind: 'fields', separator: ',', signature: 'v', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: 300 },
  }
}
