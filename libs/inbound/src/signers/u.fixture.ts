/** Signers of platforms whose names begin with u to z. */
import { asymmetric } from './asymmetric.fixture.ts'
import { hubSubscription } from './e.fixture.ts'
import { zohoBooks, zohoBooksForm } from './hashes.fixture.ts'
import { certificate, pem } from './keys.fixture.ts'
import { FORM, type Handshake, hmac, mac, type Signer } from './signer.fixture.ts'
import { vonage, wix } from './tokens.fixture.ts'

const message = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [{ field: 'messages', value: { messages: [{ id: 'wamid.HBg', type: 'text' }] } }],
    },
  ],
}
const status = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: { statuses: [{ id: 'wamid.HBg', status: 'delivered', timestamp: '1700000000' }] },
        },
      ],
    },
  ],
}
const webflow = {
  triggerType: 'form_submission',
  payload: { name: 'Contact', id: '6321ca84df3949bfc6752327' },
}
const feed =
  '<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom"><entry><yt:videoId>VIDEO_ID</yt:videoId><updated>2023-11-14T22:13:20+00:00</updated></entry></feed>'
const wechat = {
  id: '3119dfba',
  create_time: '2023-11-14T22:13:20+08:00',
  event_type: 'TRANSACTION.SUCCESS',
  resource_type: 'encrypt-resource',
  resource: {},
}
const wechatEvent = {
  source: 'wechat-pay',
  kind: 'rsa',
  hash: 'sha256',
  header: 'Wechatpay-Signature',
  headers: { 'Wechatpay-Nonce': 'EcZ9Cmy4', 'Wechatpay-Serial': 'D7CE59D1F522D701' },
  config: { public_key_serial: 'D7CE59D1F522D701' },
  pinned: { public_key_serial: 'D7CE59D1F522D701' },
  signed: (body: string, t: string) => `${t}\nEcZ9Cmy4\n${body}\n`,
  time: { unit: 's', header: 'Wechatpay-Timestamp', tolerance: 300 },
  body: wechat,
  type: 'TRANSACTION.SUCCESS',
  id: '3119dfba',
} as const

const hub = (extra = ''): Handshake => ({
  of: 'the subscription',
  request: {
    method: 'GET',
    url: `?hub.mode=subscribe&hub.topic=https%3A%2F%2Fexample.com%2Ffeed&hub.challenge=9263&hub.lease_seconds=432000${extra}`,
    headers: {},
    body: '',
  },
  config: extra === '' ? { secret: 's' } : { secret: 's', verify_token: 'v' },
  answer: { status: 200, body: '9263' },
})

/** Zoom answers nothing that is not signed: else it would sign texts of anybody's choice. */
const zoom: Handshake = {
  of: 'the URL',
  signed: true,
  request: {
    headers: {},
    body: '{"payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680,"event":"endpoint.url_validation"}',
  },
  config: { secret: 'zoom-token' },
  answer: {
    status: 200,
    body: JSON.stringify({
      plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
      encryptedToken: hmac('zoom-token', 'qgg8vlvZRS6UYooatFL8Aw'),
    }),
  },
}

export const u: readonly Signer[] = [
  mac({
    source: 'unit',
    header: 'X-Unit-Signature',
    digest: ['sha1', 'base64'],
    body: { data: [{ id: '53', type: 'transaction.created', attributes: {} }] },
    type: 'transaction.created',
    id: '53',
  }),
  mac({
    source: 'uploadcare',
    header: 'X-Uc-Signature',
    show: (s) => `v1=${s}`,
    body: { initiator: {}, hook: { id: 1, event: 'file.uploaded' }, data: { uuid: 'a5e0' } },
    type: 'file.uploaded',
    id: 'file.uploaded:a5e0',
  }),
  mac({
    source: 'vercel',
    header: 'x-vercel-signature',
    digest: ['sha1', 'hex'],
    body: { id: 'uev_1', type: 'deployment.created', createdAt: 1700000000000, payload: {} },
    type: 'deployment.created',
    id: 'uev_1',
  }),
  mac({
    source: 'veriff',
    header: 'X-HMAC-SIGNATURE',
    headers: { 'X-AUTH-CLIENT': 'api-key-1' },
    config: { api_key: 'api-key-1' },
    pinned: { api_key: 'api-key-1' },
    body: { id: 'f04b', attemptId: 'a', feature: 'selfid', code: 7002, action: 'submitted' },
    type: 'submitted',
  }),
  mac({
    source: 'veriff',
    variant: 'by the newer names',
    header: 'VRF-HMAC-SIGNATURE',
    headers: { 'VRF-AUTH-CLIENT': 'api-key-1' },
    config: { api_key: 'api-key-1' },
    pinned: { api_key: 'api-key-1' },
    body: {
      status: 'success',
      verification: { id: 'f04b', attemptId: 'a', code: 9001, status: 'approved' },
    },
    type: 'approved',
  }),
  mac({
    source: 'viber',
    header: 'X-Viber-Content-Signature',
    body: {
      event: 'message',
      timestamp: 1700000000000,
      message_token: 4912661846655238000,
      sender: {},
    },
    type: 'message',
    id: 'message:4912661846655238000:1700000000000',
  }),
  vonage,
  mac({
    source: 'webflow',
    header: 'x-webflow-signature',
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 'ms', header: 'x-webflow-timestamp', tolerance: 300 },
    body: webflow,
    type: 'form_submission',
  }),
  ...(['sha1', 'sha256', 'sha384', 'sha512'] as const).map((hash) =>
    mac({
      source: 'websub',
      ...(hash === 'sha256' ? {} : { variant: `of ${hash}` }),
      header: 'X-Hub-Signature',
      digest: [hash, 'hex'],
      show: (s) => `${hash}=${s}`,
      contentType: 'application/atom+xml',
      body: '<feed/>',
      ...(hash === 'sha256' ? { handshakes: [hub()] } : {}),
    }),
  ),
  asymmetric({ ...wechatEvent }),
  asymmetric({
    ...wechatEvent,
    variant: 'by a certificate',
    shown: (name) => certificate(name, 'Tenpay.com'),
  }),
  mac({
    source: 'whatsapp',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: message,
    type: 'messages',
    id: 'wamid.HBg',
    handshakes: hubSubscription,
  }),
  mac({
    source: 'whatsapp',
    variant: 'of a status',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: status,
    type: 'messages.delivered',
    id: 'wamid.HBg:delivered',
  }),
  asymmetric({
    source: 'wise',
    kind: 'rsa',
    hash: 'sha256',
    header: 'X-Signature-SHA256',
    shown: pem,
    headers: { 'X-Delivery-Id': '2a5b' },
    body: {
      data: { resource: { id: 111 } },
      subscription_id: 's',
      event_type: 'transfers#state-change',
      schema_version: '2.0.0',
      sent_at: '2023-11-14T22:13:20Z',
    },
    type: 'transfers_state-change',
    id: '2a5b',
  }),
  wix,
  mac({
    source: 'woocommerce',
    header: 'X-WC-Webhook-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Delivery-ID': '8d5e' },
    body: { id: 727 },
    type: 'order.created',
    id: '8d5e',
    handshakes: [
      {
        of: 'a ping',
        request: { headers: { 'Content-Type': FORM }, body: 'webhook_id=5' },
        answer: { status: 200 },
      },
    ],
  }),
  mac({
    source: 'workos',
    header: 'WorkOS-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t}, v1=${s}`,
    time: { unit: 'ms', tolerance: 180 },
    body: {
      id: 'event_01',
      event: 'dsync.user.created',
      data: {},
      created_at: '2023-11-14T22:13:20.000Z',
    },
    type: 'dsync.user.created',
    id: 'event_01',
  }),
  mac({
    source: 'worldpay',
    header: 'Event-Signature',
    config: { key_id: '1' },
    show: (s) => `1/SHA256/${s}`,
    body: {
      eventId: '5eb9',
      eventTimestamp: '2023-11-14T22:13:20.000Z',
      eventDetails: { type: 'authorized' },
    },
    type: 'authorized',
    id: '5eb9',
  }),
  mac({
    source: 'xero',
    header: 'x-xero-signature',
    digest: ['sha256', 'base64'],
    body: {
      events: [
        {
          resourceId: 'r',
          eventDateUtc: '2023-11-14T22:13:20.000',
          eventType: 'UPDATE',
          eventCategory: 'INVOICE',
        },
      ],
      firstEventSequence: 1,
      lastEventSequence: 1,
      entropy: 'S0m',
    },
    type: 'INVOICE.UPDATE',
    id: '1:1:r',
  }),
  mac({
    source: 'youtube',
    header: 'X-Hub-Signature',
    digest: ['sha1', 'hex'],
    show: (s) => `sha1=${s}`,
    contentType: 'application/atom+xml',
    body: feed,
    type: 'updated',
    id: 'VIDEO_ID:2023-11-14T22:13:20+00:00',
    handshakes: [hub(), hub('&hub.verify_token=v')],
  }),
  mac({
    source: 'zendesk',
    header: 'X-Zendesk-Webhook-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-Zendesk-Webhook-Invocation-Id': '01G' },
    signed: (body, t) => `${t}${body}`,
    time: { unit: 'iso', header: 'X-Zendesk-Webhook-Signature-Timestamp', tolerance: 300 },
    body: { id: 'z1', type: 'zen:event-type:user.created', subject: 's', event: {} },
    type: 'zen:event-type:user.created',
    id: '01G',
  }),
  zohoBooks,
  zohoBooksForm,
  mac({
    source: 'zoho-payments',
    header: 'X-Zoho-Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v=${s}`,
    time: { unit: 'ms', tolerance: 300 },
    body: { event_id: '5', event_type: 'payment.succeeded', event_object: {} },
    type: 'payment.succeeded',
    id: '5',
  }),
  mac({
    source: 'zoho-payments',
    variant: 'by the other spelling',
    header: 'X-ZohoWebhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v=${s}`,
    time: { unit: 'ms', tolerance: 300 },
    body: { event_id: '5', event_type: 'payment.succeeded' },
    type: 'payment.succeeded',
    id: '5',
  }),
  mac({
    source: 'zoom',
    header: 'x-zm-signature',
    signed: (body, t) => `v0:${t}:${body}`,
    show: (s) => `v0=${s}`,
    time: { unit: 's', header: 'x-zm-request-timestamp', tolerance: 300 },
    body: { event: 'meeting.started', event_ts: 1700000000000, payload: { account_id: 'a' } },
    type: 'meeting.started',
    handshakes: [zoom],
  }),
]
