/** Signers of platforms whose names begin with c. */
import { asymmetric } from './asymmetric.fixture.ts'
import { spki } from './keys.fixture.ts'
import { cloudinary, contentful } from './hashes.fixture.ts'
import { basic, bodyToken, mac, type Signer, standard, token } from './signer.fixture.ts'
import { canva } from './tokens.fixture.ts'

const user = {
  data: { id: 'user_29w83sxmDNGwOuEthce5gg56FcC', object: 'user' },
  object: 'event',
  type: 'user.created',
}
const checkout = {
  id: 'evt_az5sblvku4ge3dwpztvyizgcau',
  type: 'payment_approved',
  version: '1.0.0',
  created_on: '2023-11-14T22:13:20Z',
  data: { id: 'pay_1' },
}

export const c: readonly Signer[] = [
  mac({
    source: 'cal-com',
    header: 'X-Cal-Signature-256',
    body: {
      triggerEvent: 'BOOKING_CREATED',
      createdAt: '2023-11-14T22:13:20.000Z',
      payload: { uid: 'bFJeNb2uX8ANpT3JL5EfXw' },
    },
    type: 'BOOKING_CREATED',
  }),
  mac({
    source: 'calendly',
    header: 'Calendly-Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 180 },
    body: {
      event: 'invitee.created',
      created_at: '2023-11-14T22:13:20.000000Z',
      payload: { uri: 'https://api.calendly.com/scheduled_events/A/invitees/B' },
    },
    type: 'invitee.created',
    id: 'invitee.created:https://api.calendly.com/scheduled_events/A/invitees/B:2023-11-14T22:13:20.000000Z',
  }),
  canva,
  mac({
    source: 'cashfree',
    header: 'x-webhook-signature',
    digest: ['sha256', 'base64'],
    headers: { 'x-idempotency-key': 'vE3dd8Yw' },
    signed: (body, t) => `${t}${body}`,
    time: { unit: 'ms', header: 'x-webhook-timestamp', tolerance: 300 },
    body: {
      data: { order: { order_id: 'O1', order_amount: 2.0 } },
      event_time: '2023-11-14T22:13:20+05:30',
      type: 'PAYMENT_SUCCESS_WEBHOOK',
    },
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    id: 'vE3dd8Yw',
  }),
  basic({
    source: 'chargebee',
    body: {
      id: 'ev_16BHbhF4s42tO2lK',
      occurred_at: 1700000000,
      source: 'admin_console',
      event_type: 'subscription_created',
      content: {},
    },
    type: 'subscription_created',
    id: 'ev_16BHbhF4s42tO2lK',
  }),
  mac({
    source: 'checkout-com',
    header: 'Cko-Signature',
    body: checkout,
    type: checkout.type,
    id: checkout.id,
  }),
  mac({
    source: 'checkout-com',
    variant: 'with a key',
    header: 'Cko-Signature',
    config: { authorization_key: 'our-own-key' },
    headers: { Authorization: 'our-own-key' },
    pinned: { authorization_key: 'our-own-key' },
    body: checkout,
    type: checkout.type,
    id: checkout.id,
  }),
  mac({
    source: 'checkr',
    header: 'X-Checkr-Signature',
    body: {
      id: '507f1f77bcf86cd799439011',
      object: 'event',
      type: 'report.completed',
      created_at: '2023-11-14T22:13:20Z',
      data: { object: { id: '4722c07dd9a10c3985ae432a' } },
    },
    type: 'report.completed',
    id: '507f1f77bcf86cd799439011',
  }),
  asymmetric({
    source: 'circle',
    kind: 'ec',
    hash: 'sha256',
    header: 'X-Circle-Signature',
    config: { api_key: 'TEST_API_KEY:1:2' },
    keyAt: {
      header: 'X-Circle-Key-Id',
      text: (key) => circleKey(key),
      url: (key) => `https://api.circle.com/v2/notifications/publicKey/${circleKey(key)}`,
      document: (name) =>
        JSON.stringify({ data: { id: name, algorithm: 'ECDSA_SHA_256', publicKey: spki(name) } }),
    },
    body: {
      subscriptionId: '00000000-0000-0000-0000-000000000000',
      notificationId: '8f4b1a52-6c84-4b3b-9d27-1f4e8c1d2a3b',
      notificationType: 'transactions.inbound',
      notification: { id: 'x' },
      timestamp: '2023-11-14T22:13:20Z',
      version: 2,
    },
    type: 'transactions.inbound',
    id: '8f4b1a52-6c84-4b3b-9d27-1f4e8c1d2a3b',
    handshakes: [
      {
        of: 'the subscription',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  }),
  mac({
    source: 'circleci',
    header: 'circleci-signature',
    show: (s) => `v1=${s},v2=00ff`,
    headers: { 'circleci-event-type': 'workflow-completed' },
    body: {
      id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
      type: 'workflow-completed',
      happened_at: '2023-11-14T22:13:20.000Z',
      workflow: { status: 'success' },
    },
    type: 'workflow-completed',
    id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
  }),
  standard({ source: 'clerk', names: 'svix', body: user, type: 'user.created' }),
  standard({ source: 'clerk', variant: 'by the other names', body: user, type: 'user.created' }),
  mac({
    source: 'close',
    header: 'close-sig-hash',
    key: 'hex',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'close-sig-timestamp', tolerance: 300 },
    body: {
      event: {
        id: 'ev_2sYKRjcrA79yKxi3S4Crd7',
        action: 'updated',
        object_type: 'lead',
        object_id: 'lead_1',
      },
      subscription_id: 'whsub_1',
    },
    type: 'lead.updated',
    id: 'ev_2sYKRjcrA79yKxi3S4Crd7',
  }),
  token({
    source: 'cloudflare',
    header: 'cf-webhook-auth',
    body: {
      name: 'n',
      text: 't',
      data: {},
      ts: 1700000000,
      account_id: 'a',
      policy_id: 'p',
      policy_name: 'P',
      alert_type: 'universal_ssl_event_type',
      alert_correlation_id: 'c',
      alert_event: 'ALERT_STATE_EVENT_START',
    },
    type: 'universal_ssl_event_type',
  }),
  mac({
    source: 'cloudflare-stream',
    header: 'Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `time=${t},sig1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: {
      uid: '6b9e68b07dfee8cc2d116e4c51d6a957',
      readyToStream: true,
      status: { state: 'ready' },
    },
    type: 'ready',
    id: '6b9e68b07dfee8cc2d116e4c51d6a957:ready',
  }),
  ...cloudinary,
  mac({
    source: 'coinbase-commerce',
    header: 'X-CC-Webhook-Signature',
    body: {
      id: 1,
      attempt_number: 1,
      event: {
        id: '24934862-d980-46cb-9402-43c81b0cdba6',
        type: 'charge:created',
        data: { code: '66BEOV2A' },
      },
    },
    type: 'charge:created',
    id: '24934862-d980-46cb-9402-43c81b0cdba6',
  }),
  mac({
    source: 'column',
    header: 'Column-Signature',
    headers: { 'Webhook-Endpoint-Id': 'whep_1' },
    body: {
      id: 'evnt_2',
      created_at: '2023-11-14T22:13:20Z',
      type: 'ach.incoming_transfer.settled',
      data: {},
    },
    type: 'ach.incoming_transfer.settled',
    id: 'evnt_2',
  }),
  contentful,
  bodyToken({
    source: 'copper',
    at: ['key'],
    config: { secret_key_name: 'key' },
    body: {
      subscription_id: 5,
      event: 'update',
      type: 'lead',
      ids: [3],
      timestamp: '2023-11-14T22:13:20.000Z',
    },
    type: 'update',
  }),
  mac({
    source: 'crisp',
    header: 'X-Crisp-Signature',
    signed: (body, t) => `[${t};${body}]`,
    time: { unit: 'ms', header: 'X-Crisp-Request-Timestamp', tolerance: 300 },
    body: {
      website_id: 'w',
      event: 'message:send',
      data: { fingerprint: 163408807661741, content: 'hi' },
      timestamp: 1700000000000,
    },
    type: 'message:send',
    id: '1700000000000:163408807661741',
  }),
  mac({
    source: 'customer-io',
    header: 'X-CIO-Signature',
    signed: (body, t) => `v0:${t}:${body}`,
    time: { unit: 's', header: 'X-CIO-Timestamp', tolerance: 300 },
    body: {
      event_id: '01E4C4CT6YDC7Y5M7FE1GWWPQJ',
      object_type: 'email',
      metric: 'delivered',
      timestamp: 1700000000,
      data: {},
    },
    type: 'email.delivered',
    id: '01E4C4CT6YDC7Y5M7FE1GWWPQJ',
  }),
]

/** Circle's ids of keys are UUIDs. */
function circleKey(key: string): string {
  return `879dc113-5ca4-4ff7-a6b7-5465408332${key.replace('key-', '0')}`
}
