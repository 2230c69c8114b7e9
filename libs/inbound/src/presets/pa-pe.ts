/** The platforms from Paddle Billing to Persona. */
import { paddleClassicContent } from '../odd/paddle-classic.ts'
import { verifyPaypal } from '../platforms/paypal.verifier.ts'
import type { HashName, HmacRule, Preset } from '../preset.ts'
import { PUBLIC_KEY, SECRET } from '../schemes/config-keys.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'

export const paPe: readonly Preset[] = [
  {
    source: 'paddle',
    name: 'Paddle Billing',
    description: 'Paddle Billing notifications with timestamp and HMAC in one header',
    mode: 'hmac_timestamped',
    docs: 'https://developer.paddle.com/webhooks/signature-verification',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Paddle-Signature' },
        format: { kind: 'fields', separator: ';', signature: 'h1', timestamp: 'ts' },
      },
      signed: '{t}:{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 5 },
    },
    eventType: ['$.event_type'],
    deliveryId: ['$.event_id'],
    notes:
      'Paddle says that what is older than 5 seconds must be refused: keep this server’s clock right.',
  },
  {
    source: 'paddle-classic',
    name: 'Paddle Classic',
    description:
      'Legacy Paddle alerts: RSA signature over the PHP-serialised, key-sorted form fields',
    mode: 'asymmetric',
    docs: 'https://classic.paddle.com/webhooks/verifying-webhooks/',
    configKeys: [{ ...PUBLIC_KEY, meaning: 'The public key under Developer Tools, as PEM.' }],
    verify: {
      kind: 'asymmetric',
      algorithm: 'rsa-sha1',
      encoding: 'base64',
      signature: { at: { form: 'p_signature' } },
      signed: 'the other form fields, sorted by name, as PHP’s serialize() writes them',
      content: paddleClassicContent,
      key: { config: 'public_key' },
    },
    eventType: ['$.alert_name'],
    deliveryId: ['$.alert_id'],
    accepted: { status: 200 },
    notes: 'For accounts that have Paddle Classic already. No time is checked.',
  },
  {
    source: 'pagerduty',
    name: 'PagerDuty',
    description: 'PagerDuty v3 webhook subscriptions for incident and service events.',
    mode: 'hmac',
    docs: 'https://developer.pagerduty.com/docs/verifying-webhook-signatures',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-PagerDuty-Signature' },
        format: { kind: 'list', separator: ',', prefix: 'v1=' },
      },
      signed: '{body}',
    },
    eventType: ['$.event.event_type'],
    deliveryId: ['$.event.id'],
  },
  {
    source: 'pagseguro',
    name: 'PagBank (PagSeguro)',
    description: 'PagBank (PagSeguro) order and charge notifications.',
    mode: 'provider_specific',
    docs: 'https://developer.pagbank.com.br/reference/confirmar-autenticidade-da-notificacao',
    configKeys: [{ ...SECRET, meaning: 'The account’s API token.' }],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      bareHash: true,
      encoding: 'hex',
      signature: { at: { header: 'x-authenticity-token' } },
      signed: '{key}-{body}',
    },
    eventType: ['$.charges[0].status'],
    deliveryId: [],
    notes: 'The sandbox often sends no signature and is refused then.',
  },
  {
    source: 'pandadoc',
    name: 'PandaDoc',
    description: 'Document events with the HMAC passed as a query parameter',
    mode: 'hmac',
    docs: 'https://developers.pandadoc.com/docs/webhook-verification',
    configKeys: [{ ...SECRET, meaning: 'The shared key of the webhook subscription.' }],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { query: 'signature' } },
      signed: '{body}',
    },
    eventType: ['$[*].event'],
    deliveryId: [],
    notes: 'A request holds a list of notifications: they are one event here, named by the first.',
  },
  {
    source: 'paypal',
    name: 'PayPal',
    description:
      'REST webhooks signed with RSA over id, time, webhook id and body CRC; certificate fetched from PayPal',
    mode: 'asymmetric',
    docs: 'https://developer.paypal.com/api/rest/webhooks/rest/',
    configKeys: [
      {
        name: 'webhook_id',
        secret: false,
        required: true,
        meaning: 'The id that PayPal gave the webhook.',
      },
    ],
    verify: {
      kind: 'odd',
      verify: verifyPaypal,
      headers: [
        'PAYPAL-TRANSMISSION-SIG',
        'PAYPAL-TRANSMISSION-ID',
        'PAYPAL-TRANSMISSION-TIME',
        'PAYPAL-CERT-URL',
        'PAYPAL-AUTH-ALGO',
      ],
    },
    eventType: ['$.event_type'],
    deliveryId: ['$.id'],
    notes:
      'Events of the dashboard’s simulator have the webhook id WEBHOOK_ID. PayPal names no age that is too old.',
  },
  {
    source: 'paystack',
    name: 'Paystack',
    description: 'Paystack payment events.',
    mode: 'hmac',
    docs: 'https://paystack.com/docs/payments/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('x-paystack-signature', { algorithm: 'sha512' }),
    eventType: ['$.event'],
    deliveryId: ['{$.event}:{$.data.id}'],
    accepted: { status: 200 },
  },
  {
    source: 'payu',
    name: 'PayU',
    description: 'PayU EMEA (Poland, CEE) order notifications.',
    mode: 'provider_specific',
    docs: 'https://developers.payu.com/europe/docs/webhooks/notifications/',
    configKeys: [{ ...SECRET, meaning: 'The second key of the point of sale.' }],
    // The header names its algorithm, and each has a length of its own: no other can be meant.
    verify: {
      kind: 'any',
      of: (['OpenPayu-Signature', 'X-OpenPayU-Signature'] as const).flatMap((header) =>
        (['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const).map((algorithm) =>
          payuSignature(header, algorithm),
        ),
      ),
    },
    eventType: ['$.order.status'],
    deliveryId: ['{$.order.orderId}:{$.order.status}'],
    accepted: { status: 200 },
  },
  {
    source: 'persona',
    name: 'Persona',
    description: 'Persona identity-verification events with a Stripe-like timestamped signature.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.withpersona.com/webhooks-best-practices',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Persona-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't', sets: ' ' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.data.attributes.name'],
    deliveryId: ['$.data.id'],
    notes: 'Persona names no age that is too old: five minutes are ours.',
  },
]

function payuSignature(header: string, algorithm: HashName): HmacRule {
  return {
    kind: 'hmac',
    algorithm,
    bareHash: true,
    encoding: 'hex',
    signature: {
      at: { header },
      format: { kind: 'fields', separator: ';', signature: 'signature' },
    },
    signed: '{body}{key}',
  }
}
