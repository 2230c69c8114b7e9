/** Signers of platforms whose names begin with m. */
import { hubSubscription } from './e.fixture.ts'
import { mandrill, mercadoPago } from './fields.fixture.ts'
import { moralis } from './hashes.fixture.ts'
import { mailgun } from './items.fixture.ts'
import { keySet, keyToken, namesOf } from './keys.fixture.ts'
import {
  basic,
  bodyToken,
  hmac,
  mac,
  NEVER,
  type Signer,
  token,
  urlToken,
} from './signer.fixture.ts'
import { messagebird, monday } from './tokens.fixture.ts'

const marqeta = { transactions: [{ type: 'authorization', state: 'PENDING', token: '7e8d45f2' }] }
const graph = {
  value: [
    {
      subscriptionId: '7f105c7d',
      clientState: '',
      changeType: 'created',
      resource: 'me/messages/1',
      tenantId: 't',
    },
  ],
}

/** Notifications with content carry tokens of Entra ID besides. */
const graphTokens: Signer = {
  ...token({
    source: 'microsoft-graph',
    variant: 'with content',
    header: 'X-None',
    body: { value: [{ clientState: 'state', changeType: 'updated', resource: 'r' }] },
    type: 'updated',
  }),
  secrets: namesOf('rsa'),
  config: () => ({ secret: 'state', client_id: '8e460676', tenant_id: '84bd8158' }),
  sign({ body, now, secret, touch }) {
    const iat = Math.floor(now / 1000)
    const claims = {
      aud: '8e460676',
      iss: 'https://sts.windows.net/84bd8158/',
      appid: '0bf30f3b-4a52-48df-9a82-234910c4a086',
      tid: '84bd8158',
      iat,
      nbf: iat,
      exp: iat + 3600,
    }
    return {
      body: JSON.stringify({
        ...JSON.parse(body),
        validationTokens: [keyToken(claims, secret, touch)],
      }),
      headers: { 'Content-Type': 'application/json' },
    }
  },
  covers: { body: false },
  carriedIn: [],
  toleranceSeconds: 3600 + 60,
  pinned: { secret: 'state', client_id: '8e460676' },
  published: { 'https://login.microsoftonline.com/common/discovery/v2.0/keys': keySet('rsa') },
}

export const m: readonly Signer[] = [
  urlToken({
    source: 'mailchimp',
    body: 'type=subscribe&fired_at=2023-11-14+22%3A13%3A20&data%5Bid%5D=8a25ff1d98',
    type: 'subscribe',
    handshakes: [
      { of: 'the URL', request: { method: 'GET', headers: {}, body: '' }, answer: { status: 200 } },
    ],
  }),
  ...mailgun,
  basic({
    source: 'mailjet',
    body: [
      {
        event: 'sent',
        time: 1700000000,
        MessageID: 19421777835146490,
        Message_GUID: '1ab23cd4',
        email: 'a@example.com',
      },
    ],
    type: 'sent',
  }),
  ...mandrill,
  basic({
    source: 'marqeta',
    body: marqeta,
    type: 'transactions.authorization',
    id: 'transactions:7e8d45f2',
    handshakes: [
      {
        of: 'a ping',
        signed: true,
        request: {
          headers: {},
          body: '{"pings":[{"token":"marqeta","payload":"healthcheck"}]}',
        },
        answer: { status: 200 },
      },
    ],
  }),
  marqetaSigned('sha1'),
  marqetaSigned('sha256'),
  mac({
    source: 'maxio',
    header: 'X-Chargify-Webhook-Signature-Hmac-Sha-256',
    headers: { 'X-Chargify-Webhook-Id': '81083' },
    body: 'event=signup_success&id=81083&payload%5Bsubscription%5D%5Bid%5D=1',
    type: 'signup_success',
    id: '81083',
  }),
  ...mercadoPago,
  messagebird,
  mac({
    source: 'messenger',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'page',
      entry: [
        {
          id: '0',
          time: 1700000000,
          messaging: [{ message: { mid: 'mid.1457764197618:41d102a3e1ae206a38' } }],
        },
      ],
    },
    id: 'mid.1457764197618:41d102a3e1ae206a38',
    handshakes: hubSubscription,
    type: 'message',
  }),
  mac({
    source: 'metronome',
    header: 'Metronome-Webhook-Signature',
    signed: (body, t) => `${t}\n${body}`,
    time: { unit: 'http', header: 'X-Metronome-Date', tolerance: 300 },
    body: { id: 'b2c9e307', type: 'alerts.low_balance_reached', properties: {} },
    type: 'alerts.low_balance_reached',
    id: 'b2c9e307',
  }),
  bodyToken({
    source: 'microsoft-graph',
    at: ['value', '0', 'clientState'],
    body: graph,
    type: 'created',
    handshakes: [
      {
        of: 'the subscription',
        request: {
          url: '?validationToken=Validation%3A+Testing+client%2Freachable',
          headers: { 'Content-Type': 'text/plain' },
          body: '',
        },
        answer: {
          status: 200,
          body: 'Validation: Testing client/reachable',
          headers: { 'content-type': 'text/plain' },
        },
      },
    ],
  }),
  graphTokens,
  mac({
    source: 'microsoft-teams',
    header: 'Authorization',
    key: 'base64',
    digest: ['sha256', 'base64'],
    show: (s) => `HMAC ${s}`,
    body: {
      type: 'message',
      id: '1485983408511',
      timestamp: '2023-11-14T22:13:20.000Z',
      text: 'hi',
    },
    type: 'message',
    id: '1485983408511',
  }),
  urlToken({
    source: 'miro',
    body: {
      appId: '1',
      webhookId: '2',
      event: { boardId: 'b', item: { id: '3' }, type: 'create' },
    },
    type: 'create',
    handshakes: [
      {
        of: 'the URL',
        request: { headers: {}, body: '{"challenge":"ZpY4"}' },
        answer: {
          status: 200,
          body: '{"challenge":"ZpY4"}',
          headers: { 'content-type': 'application/json' },
        },
      },
    ],
  }),
  basic({
    source: 'mixpanel',
    body: {
      action: 'add_members',
      parameters: {
        mixpanel_project_id: '1',
        mixpanel_session_id: 's1',
        page_info: { total_pages: 3, page_count: 1 },
        members: [],
      },
    },
    type: 'add_members',
  }),
  mac({
    source: 'mlflow',
    header: 'X-MLflow-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-MLflow-Delivery-Id': 'dlv-1' },
    signed: (body, t) => `dlv-1.${t}.${body}`,
    show: (s) => `v1,${s}`,
    time: { unit: 's', header: 'X-MLflow-Timestamp', tolerance: 300 },
    body: {
      entity: 'model_version',
      action: 'created',
      timestamp: '2023-11-14T22:13:20Z',
      data: {},
    },
    type: 'model_version.created',
    id: 'dlv-1',
  }),
  mac({
    source: 'modern-treasury',
    header: 'X-Signature',
    headers: { 'X-Topic': 'payment_order', 'X-Webhook-ID': '4f8a' },
    body: { event: 'completed', data: { id: 'f1' } },
    type: 'payment_order.completed',
    id: '4f8a',
  }),
  mac({
    source: 'mollie',
    header: 'X-Mollie-Signature',
    show: (s) => `sha256=${s}`,
    body: {
      resource: 'event',
      id: 'event_GvJ8WHrp5isUdRub9CJyH',
      type: 'payment-link.paid',
      entityId: 'pl_q',
      createdAt: '2023-11-14T22:13:20+00:00',
    },
    type: 'payment-link.paid',
    id: 'event_GvJ8WHrp5isUdRub9CJyH',
  }),
  {
    ...token({ source: 'mollie-classic', header: 'X-None', body: 'id=tr_d0b0E3EA3v', id: NEVER }),
    config: () => ({}),
    sign: ({ body }) => ({
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
    carriedIn: [],
    unchecked: true,
  },
  monday,
  moralis,
  mac({
    source: 'mux',
    header: 'Mux-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { type: 'video.asset.ready', id: '3a56ac3d-33da-4366-855b-f592d898409d', data: {} },
    type: 'video.asset.ready',
    id: '3a56ac3d-33da-4366-855b-f592d898409d',
  }),
]

function marqetaSigned(algorithm: 'sha1' | 'sha256'): Signer {
  const base = basic({
    source: 'marqeta',
    variant: `signed by ${algorithm}`,
    body: marqeta,
    type: 'transactions.authorization',
    id: 'transactions:7e8d45f2',
  })
  const pair = Buffer.from('platform:password').toString('base64')
  return {
    ...base,
    config: (secret) => ({
      username: 'platform',
      password: 'password',
      secret,
      signature_algorithm: algorithm,
    }),
    sign: ({ body, secret, touch }) => ({
      body,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${pair}`,
        'X-Marqeta-Signature': touch(hmac(secret, body, [algorithm, 'hex'])),
      },
    }),
    covers: { body: true },
    optional: true,
    carriedIn: ['X-Marqeta-Signature'],
    pinned: { username: 'platform', password: 'password' },
  }
}
