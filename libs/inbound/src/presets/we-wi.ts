/** The platforms from Webflow to Wix. */
import { wixEvent } from '../odd/wix.ts'
import type { AsymmetricRule, Preset, PublicKeyAt } from '../preset.ts'
import { PUBLIC_KEY, SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'
import { HUB_CHALLENGE, hubSignature } from '../schemes/websub-hub.ts'

/** As Wise's documents show it. */
const WISE_PRODUCTION = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvO8vXV+JksBzZAY6GhSO
XdoTCfhXaaiZ+qAbtaDBiu2AGkGVpmEygFmWP4Li9m5+Ni85BhVvZOodM9epgW3F
bA5Q1SexvAF1PPjX4JpMstak/QhAgl1qMSqEevL8cmUeTgcMuVWCJmlge9h7B1CS
D4rtlimGZozG39rUBDg6Qt2K+P4wBfLblL0k4C4YUdLnpGYEDIth+i8XsRpFlogx
CAFyH9+knYsDbR43UJ9shtc42Ybd40Afihj8KnYKXzchyQ42aC8aZ/h5hyZ28yVy
Oj3Vos0VdBIs/gAyJ/4yyQFCXYte64I7ssrlbGRaco4nKF3HmaNhxwyKyJafz19e
HwIDAQAB
-----END PUBLIC KEY-----`

export const weWi: readonly Preset[] = [
  {
    source: 'webflow',
    name: 'Webflow',
    description: 'Webflow site, form and CMS webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://developers.webflow.com/data/docs/working-with-webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'x-webflow-signature' } },
      signed: '{t}:{body}',
      timestamp: {
        at: { header: 'x-webflow-timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$.triggerType'],
    deliveryId: [],
    notes:
      'Webhooks made in the dashboard are signed when an OAuth app, or since April 2025 a site token, made them; others are refused.',
  },
  {
    source: 'websub',
    name: 'WebSub',
    description: 'Any WebSub / PubSubHubbub hub delivering feed content.',
    mode: 'hmac',
    docs: 'https://www.w3.org/TR/websub/#signing-content',
    configKeys: [{ ...SECRET, meaning: 'The hub.secret of your subscription.' }],
    verify: {
      kind: 'any',
      of: (['sha1', 'sha256', 'sha384', 'sha512'] as const).map(hubSignature),
    },
    handshakes: [HUB_CHALLENGE],
    eventType: [],
    deliveryId: [],
    notes:
      'A hub’s question is answered for any topic. There is no type in a feed: give the receiver an eventTypeMapping when it sends JSON. A bad signature is answered with 401, though WebSub would have it accepted in silence.',
  },
  {
    source: 'wechat-pay',
    name: 'WeChat Pay',
    description: 'WeChat Pay API v3 payment notifications.',
    mode: 'asymmetric',
    docs: 'https://pay.weixin.qq.com/doc/v3/merchant/4012071382',
    configKeys: [
      {
        ...PUBLIC_KEY,
        meaning:
          'WeChat Pay’s public key, or its platform certificate. Several while it is changed.',
      },
      {
        name: 'public_key_serial',
        secret: false,
        required: false,
        meaning:
          'The id of that key, or the certificate’s serial number; compared when it is set. Several while it is changed.',
      },
      {
        name: 'api_v3_key',
        secret: true,
        required: false,
        meaning: 'Not used: a notification goes on encrypted, for you to decrypt.',
      },
    ],
    verify: {
      kind: 'all',
      of: [
        {
          kind: 'asymmetric',
          algorithm: 'rsa-sha256',
          encoding: 'base64',
          signature: { at: { header: 'Wechatpay-Signature' } },
          signed: '{t}\n{header:Wechatpay-Nonce}\n{body}\n',
          key: { config: 'public_key' },
          timestamp: {
            at: { header: 'Wechatpay-Timestamp' },
            unit: 'seconds',
            toleranceSeconds: 300,
          },
        },
        {
          kind: 'token',
          at: { header: 'Wechatpay-Serial' },
          config: 'public_key_serial',
          needs: ['public_key_serial'],
        },
      ],
    },
    eventType: ['$.event_type'],
    deliveryId: ['$.id'],
    accepted: { status: 200 },
    notes:
      'WeChat Pay probes with signatures that must be refused, so a few rejections are no alarm.',
  },
  {
    source: 'whatsapp',
    name: 'WhatsApp Business',
    description: 'WhatsApp Business Cloud API events (Meta).',
    mode: 'hmac',
    docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
    configKeys: [{ ...SECRET, meaning: 'The Meta app’s secret.' }, VERIFY_TOKEN],
    verify: META_SIGNATURE,
    handshakes: [META_CHALLENGE],
    eventType: [
      '{$.entry[0].changes[0].field}.{$.entry[0].changes[0].value.statuses[0].status}',
      '$.entry[0].changes[0].field',
    ],
    deliveryId: [
      '{$.entry[*].changes[*].value.statuses[*].id}:{$.entry[*].changes[*].value.statuses[*].status}',
      '$.entry[*].changes[*].value.messages[*].id',
    ],
    accepted: { status: 200 },
  },
  {
    source: 'wise',
    name: 'Wise',
    description:
      'Transfer and balance events with an RSA signature over the raw body; Wise publishes the key',
    mode: 'asymmetric',
    docs: 'https://docs.wise.com/guides/developer/webhooks/event-handling',
    configKeys: [
      {
        name: 'environment',
        secret: false,
        required: false,
        values: ['production', 'sandbox'],
        meaning: 'Of Wise. Default: production. For the sandbox, set its public_key.',
      },
      {
        ...PUBLIC_KEY,
        required: false,
        meaning: 'In place of the built-in key of production: the sandbox’s, or a new one.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        wiseSignature({ config: 'public_key' }, ['public_key']),
        wiseSignature({ pem: WISE_PRODUCTION }, ['!public_key', 'environment?=production']),
      ],
    },
    handshakes: [
      {
        signed: true,
        when: { method: 'POST', equals: [{ at: { header: 'X-Test-Notification' }, text: 'true' }] },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.event_type'],
    deliveryId: ['$.headers.X-Delivery-Id'],
    notes:
      'The key is the same for all customers: the signature tells that Wise sent it, not for whom. Wise takes no URLs with a query.',
  },
  {
    source: 'wix',
    name: 'Wix',
    description: 'Wix app webhooks (orders, contacts, app instance events).',
    mode: 'jwt',
    docs: 'https://dev.wix.com/docs/build-apps/develop-your-app/api-integrations/events-and-webhooks/about-webhooks',
    configKeys: [
      { ...PUBLIC_KEY, meaning: 'The app’s public key in its dashboard: PEM, or its base64.' },
    ],
    verify: {
      kind: 'jwt',
      at: { wholeBody: true },
      algorithms: ['RS256'],
      key: { config: 'public_key' },
      event: { claim: 'data' },
    },
    unpack: wixEvent,
    eventType: ['$.eventType'],
    deliveryId: ['$.event.id'],
    accepted: { status: 200 },
    notes:
      'The event is what the token says: eventType, instanceId, and data, which is JSON in a text.',
  },
]

function wiseSignature(key: PublicKeyAt, needs: readonly string[]): AsymmetricRule {
  return {
    kind: 'asymmetric',
    algorithm: 'rsa-sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Signature-SHA256' } },
    signed: '{body}',
    key,
    needs,
  }
}
