/** Signers of platforms whose names begin with b. */
import { braintree } from './braintree.fixture.ts'
import {
  basic,
  mac,
  namedHeader,
  type Signer,
  standard,
  token,
  urlToken,
} from './signer.fixture.ts'

const outage = {
  data: {
    id: '25',
    type: 'incident',
    attributes: { name: 'example.com', url: 'https://example.com' },
  },
}
const build = {
  event: 'build.finished',
  build: { id: 'f62a1b4d-10f9-4790-bc1c-e2c3a0c80983', state: 'passed' },
}
const BOX = {
  'BOX-DELIVERY-ID': 'f96bb54b-ee16-4fc5-aa65-8c2d9e5b546f',
  'BOX-SIGNATURE-VERSION': '1',
  'BOX-SIGNATURE-ALGORITHM': 'HmacSHA256',
}
const box = {
  type: 'webhook_event',
  id: '0f1e2d3c',
  created_at: '2023-11-14T22:13:20-07:00',
  trigger: 'FILE.UPLOADED',
  webhook: { id: '53' },
  source: { id: '73835521473', type: 'file' },
}

export const b: readonly Signer[] = [
  mac({
    source: 'bamboohr',
    header: 'X-BambooHR-Signature',
    signed: (body, t) => `${body}${t}`,
    time: { unit: 's', header: 'X-BambooHR-Timestamp', tolerance: null },
    headers: { 'Company-Domain': 'acme' },
    body: {
      employees: [
        {
          id: '5',
          action: 'Updated',
          changedFields: ['First name'],
          fields: { 'First name': { value: 'Tefi' } },
        },
      ],
    },
    type: 'Updated',
  }),
  basic({
    source: 'bandwidth',
    body: [
      {
        type: 'message-received',
        time: '2023-11-14T22:13:20Z',
        description: 'Incoming message received',
        to: '+12345678902',
        message: { id: '14762070468292kw2fuqty55yp2b2' },
      },
    ],
    type: 'message-received',
    id: 'message-received:14762070468292kw2fuqty55yp2b2:+12345678902',
  }),
  basic({
    source: 'bandwidth',
    variant: 'of voice',
    body: { eventType: 'answer', eventTime: '2023-11-14T22:13:20Z', callId: 'c-95ac8d6e' },
    type: 'answer',
    id: 'answer:c-95ac8d6e:2023-11-14T22:13:20Z',
  }),
  namedHeader({ source: 'betterstack', body: outage }),
  basic({ source: 'betterstack', variant: 'by password', body: outage }),
  standard({
    source: 'bigcommerce',
    key: 'utf8',
    body: {
      scope: 'store/order/statusUpdated',
      store_id: '1025646',
      data: { type: 'order', id: 250 },
      hash: 'dd70c0976e06b67aaf671e73f49dcb79230ebf9d',
      created_at: 1561479335,
      producer: 'stores/abc',
    },
    type: 'store/order/statusUpdated',
  }),
  mac({
    source: 'bitbucket',
    header: 'X-Hub-Signature',
    show: (s) => `sha256=${s}`,
    headers: {
      'X-Event-Key': 'repo:push',
      'X-Hook-UUID': '2b1c',
      'X-Request-UUID': '5bd2dc2c-4bde-4d24-a4f8-b0d3d4e5f6a7',
      'X-Attempt-Number': '1',
    },
    body: { push: { changes: [] }, repository: { full_name: 'team/repo' } },
    type: 'repo:push',
    id: '5bd2dc2c-4bde-4d24-a4f8-b0d3d4e5f6a7',
  }),
  mac({
    source: 'bitgo',
    header: 'x-signature-sha256',
    body: {
      type: 'transfer',
      wallet: '585951a5df8380e0e3063e9f',
      coin: 'tbtc',
      transfer: '59f3c1',
      hash: 'a57d8e',
      state: 'confirmed',
    },
    type: 'transfer',
    id: 'transfer:59f3c1:a57d8e:confirmed',
  }),
  mac({
    source: 'bolt',
    header: 'X-Bolt-Hmac-Sha256',
    digest: ['sha256', 'base64'],
    body: {
      object: 'transaction',
      id: 'TAfGCGgvvvgP3',
      type: 'payment',
      data: { reference: 'LBLJ-TWW7-R9VC' },
    },
    type: 'payment',
    id: 'payment:TAfGCGgvvvgP3',
  }),
  mac({
    source: 'box',
    header: 'BOX-SIGNATURE-PRIMARY',
    secretIn: 'primary_key',
    digest: ['sha256', 'base64'],
    headers: BOX,
    signed: (body, t) => `${body}${t}`,
    time: { unit: 'iso', header: 'BOX-DELIVERY-TIMESTAMP', tolerance: 600 },
    body: box,
    type: 'FILE.UPLOADED',
    id: BOX['BOX-DELIVERY-ID'],
  }),
  {
    ...mac({
      source: 'box',
      variant: 'by the secondary key',
      header: 'BOX-SIGNATURE-SECONDARY',
      secretIn: 'secondary_key',
      config: { primary_key: 'rotated-away' },
      digest: ['sha256', 'base64'],
      headers: { ...BOX, 'BOX-SIGNATURE-PRIMARY': 'MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=' },
      signed: (body, t) => `${body}${t}`,
      time: { unit: 'iso', header: 'BOX-DELIVERY-TIMESTAMP', tolerance: 600 },
      body: box,
      type: 'FILE.UPLOADED',
      id: BOX['BOX-DELIVERY-ID'],
    }),
    carriedIn: ['BOX-SIGNATURE-PRIMARY', 'BOX-SIGNATURE-SECONDARY'],
  },
  braintree,
  token({
    source: 'brevo',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: {
      event: 'delivered',
      email: 'a@example.com',
      id: 26224,
      'message-id': '<201798300811.5787683@relay.domain.com>',
      ts_event: 1604933654,
    },
    type: 'delivered',
    id: '<201798300811.5787683@relay.domain.com>:delivered:1604933654',
  }),
  namedHeader({
    source: 'brevo',
    variant: 'by header',
    body: { event: 'delivered', id: 26224, 'message-id': '<2017@relay>', ts_event: 1604933654 },
    type: 'delivered',
    id: '<2017@relay>:delivered:1604933654',
  }),
  urlToken({
    source: 'bugsnag',
    body: {
      account: { id: '1' },
      project: { id: '2' },
      trigger: { type: 'firstException', message: 'New error' },
      error: { id: '5' },
    },
    type: 'firstException',
  }),
  mac({
    source: 'buildkite',
    header: 'X-Buildkite-Signature',
    config: { auth_mode: 'signature' },
    headers: { 'X-Buildkite-Event': 'build.finished' },
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `timestamp=${t},signature=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: build,
    type: 'build.finished',
  }),
  token({
    source: 'buildkite',
    variant: 'by token',
    header: 'X-Buildkite-Token',
    config: { auth_mode: 'token' },
    headers: { 'X-Buildkite-Event': 'build.finished' },
    body: build,
    type: 'build.finished',
  }),
]
