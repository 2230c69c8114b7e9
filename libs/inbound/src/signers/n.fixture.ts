/** Signers of platforms whose names begin with n, o, p or q. */
import { paddleClassic, plivo } from './fields.fixture.ts'
import { pagseguro, payu } from './hashes.fixture.ts'
import { pandadoc } from './items.fixture.ts'
import { paypal } from './paypal.fixture.ts'
import {
  basic,
  bodyToken,
  mac,
  namedHeader,
  type Signer,
  standard,
  token,
} from './signer.fixture.ts'
import { netlify, plaid } from './tokens.fixture.ts'

const notion = {
  id: '367cba44-b6f3-4c92-81e7-6a2e9659efd4',
  timestamp: '2023-11-14T22:13:20.000Z',
  type: 'page.created',
  attempt_number: 1,
}
const okta = {
  eventType: 'com.okta.event_hook',
  eventId: 'b5a188b9',
  data: { events: [{ uuid: 'd7e6', eventType: 'user.lifecycle.create' }] },
}
const oneLogin = [{ event_type_id: 5, uuid: 'e4bf', notes: '' }]
const openaiBody = {
  object: 'event',
  id: 'evt_685343a1381c819085d44c354e1b330e',
  type: 'response.completed',
  created_at: 1700000000,
  data: { id: 'resp_1' },
}
const pagerduty = {
  event: {
    id: '01BZQ5Q1X3FZK7J6M1FCRF3FQJ',
    event_type: 'incident.triggered',
    resource_type: 'incident',
  },
}
const paystack = { event: 'charge.success', data: { id: 302961, reference: 'q' } }
const newRelic = {
  id: 'd1b1f3fd',
  issueUrl: 'https://x',
  state: 'ACTIVATED',
  trigger: 'STATE_CHANGE',
}
const alerts = {
  version: '4',
  groupKey: '{}:{}',
  status: 'firing',
  receiver: 'r',
  alerts: [{ status: 'firing', fingerprint: 'c6ec' }],
}

export const n: readonly Signer[] = [
  netlify,
  namedHeader({ source: 'new-relic', body: newRelic, type: 'STATE_CHANGE' }),
  basic({ source: 'new-relic', variant: 'by password', body: newRelic, type: 'STATE_CHANGE' }),
  mac({
    source: 'notion',
    header: 'X-Notion-Signature',
    show: (s) => `sha256=${s}`,
    body: notion,
    type: notion.type,
    id: notion.id,
    handshakes: [
      {
        of: 'the token',
        request: {
          headers: {},
          body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}',
        },
        config: {},
        answer: {
          status: 200,
          learned: { secret: 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl' },
        },
      },
    ],
  }),
  mac({
    source: 'npm',
    header: 'x-npm-signature',
    show: (s) => `sha256=${s}`,
    body: { event: 'package:publish', name: 'p', type: 'package', time: 1700000000000 },
    type: 'package:publish',
  }),
  namedHeader({
    source: 'okta',
    body: okta,
    type: 'user.lifecycle.create',
    id: 'b5a188b9',
    handshakes: [
      {
        of: 'the hook',
        request: {
          method: 'GET',
          headers: { 'x-okta-verification-challenge': 'my-challenge' },
          body: '',
        },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: '{"verification":"my-challenge"}',
        },
      },
    ],
  }),
  token({
    source: 'okta',
    variant: 'by authorization',
    header: 'Authorization',
    body: okta,
    type: 'user.lifecycle.create',
    id: 'b5a188b9',
  }),
  namedHeader({ source: 'onelogin', body: oneLogin, type: '5', id: 'e4bf' }),
  mac({
    source: 'onfido',
    header: 'X-SHA2-Signature',
    body: {
      payload: {
        resource_type: 'check',
        action: 'check.completed',
        object: { id: '1', status: 'complete' },
      },
    },
    type: 'check.completed',
  }),
  standard({ source: 'openai', body: openaiBody, type: 'response.completed' }),
  standard({
    source: 'openai',
    variant: 'with a secret of letters',
    key: 'utf8',
    body: openaiBody,
    type: 'response.completed',
  }),
  namedHeader({
    source: 'opsgenie',
    body: { action: 'Create', alert: { alertId: '052652ac' } },
    type: 'Create',
  }),
  mac({
    source: 'orb',
    header: 'X-Orb-Signature',
    signed: (body, t) => `v1:${t}:${body}`,
    show: (s) => `v1=${s}`,
    time: { unit: 'naive', header: 'X-Orb-Timestamp', tolerance: 300 },
    body: {
      id: 'o4mmewpfNNTnjfZc',
      created_at: '2023-11-14T22:13:20+00:00',
      type: 'customer.created',
      properties: {},
    },
    type: 'customer.created',
    id: 'o4mmewpfNNTnjfZc',
  }),
  mac({
    source: 'paddle',
    header: 'Paddle-Signature',
    signed: (body, t) => `${t}:${body}`,
    show: (s, t) => `ts=${t};h1=${s}`,
    time: { unit: 's', tolerance: 5 },
    body: {
      event_id: 'evt_01hv8wptq8987qeep44cyrewp9',
      event_type: 'transaction.paid',
      notification_id: 'ntf_01',
      data: {},
    },
    type: 'transaction.paid',
    id: 'evt_01hv8wptq8987qeep44cyrewp9',
  }),
  paddleClassic,
  mac({
    source: 'pagerduty',
    header: 'X-PagerDuty-Signature',
    show: (s) => `v1=00,v1=${s}`,
    headers: { 'x-webhook-subscription': 'P1' },
    body: pagerduty,
    type: pagerduty.event.event_type,
    id: pagerduty.event.id,
  }),
  pagseguro,
  pandadoc,
  paypal,
  mac({
    source: 'paystack',
    header: 'x-paystack-signature',
    digest: ['sha512', 'hex'],
    body: paystack,
    type: paystack.event,
    id: 'charge.success:302961',
  }),
  ...payu,
  mac({
    source: 'persona',
    header: 'Persona-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { data: { type: 'event', id: 'evt_XGuG', attributes: { name: 'inquiry.completed' } } },
    type: 'inquiry.completed',
    id: 'evt_XGuG',
  }),
  mac({
    source: 'phabricator',
    header: 'X-Phabricator-Webhook-Signature',
    body: {
      object: { type: 'TASK', phid: 'PHID-TASK-1' },
      triggers: [],
      action: { test: false },
      transactions: [{ phid: 'PHID-XACT-TASK-1' }],
    },
    type: 'TASK',
    id: 'PHID-XACT-TASK-1',
  }),
  basic({
    source: 'pipedrive',
    body: {
      meta: { action: 'change', entity: 'deal', entity_id: '5', id: '4f8a', version: '2.0' },
      data: {},
    },
    type: 'change.deal',
    id: '5:4f8a',
  }),
  basic({
    source: 'pipedrive',
    variant: 'version 1',
    body: { event: 'updated.deal', meta: { action: 'updated', object: 'deal', id: 5 } },
    type: 'updated.deal',
  }),
  plaid,
  ...plivo,
  basic({
    source: 'postmark',
    body: {
      RecordType: 'Delivery',
      MessageID: '883953f4',
      ServerID: 23,
      DeliveredAt: '2023-11-14T22:13:20Z',
    },
    type: 'Delivery',
  }),
  bodyToken({
    source: 'prismic',
    at: ['secret'],
    body: { type: 'api-update', secret: '', domain: 'd', apiUrl: 'https://d.prismic.io/api' },
    type: 'api-update',
  }),
  token({
    source: 'prometheus-alertmanager',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: alerts,
    type: 'firing',
  }),
  basic({
    source: 'prometheus-alertmanager',
    variant: 'by password',
    body: alerts,
    type: 'firing',
  }),
  namedHeader({
    source: 'prometheus-alertmanager',
    variant: 'by header',
    body: alerts,
    type: 'firing',
  }),
  mac({
    source: 'pulumi',
    header: 'Pulumi-Webhook-Signature',
    headers: { 'Pulumi-Webhook-Kind': 'stack_update', 'Pulumi-Webhook-ID': '8d4b' },
    body: { kind: 'update', result: 'succeeded' },
    type: 'stack_update',
    id: '8d4b',
  }),
  mac({
    source: 'quickbooks',
    header: 'intuit-signature',
    digest: ['sha256', 'base64'],
    body: [
      {
        specversion: '1.0',
        id: '88cd52aa',
        source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
        type: 'qbo.invoice.created.v1',
        time: '2023-11-14T22:13:20Z',
      },
    ],
    type: 'qbo.invoice.created.v1',
    id: '88cd52aa',
  }),
  mac({
    source: 'quickbooks',
    variant: 'of old',
    header: 'intuit-signature',
    digest: ['sha256', 'base64'],
    body: {
      eventNotifications: [
        {
          realmId: '1',
          dataChangeEvent: {
            entities: [
              {
                name: 'Customer',
                id: '1',
                operation: 'Create',
                lastUpdated: '2023-11-14T22:13:20Z',
              },
            ],
          },
        },
      ],
    },
    type: 'Customer.Create',
  }),
  mac({
    source: 'quicknode',
    handshakes: [
      {
        of: 'a ping',
        request: { headers: {}, body: '{"message":"PING"}' },
        answer: { status: 200 },
      },
    ],
    header: 'x-qn-signature',
    headers: { 'x-qn-nonce': 'bf96c5ad' },
    signed: (body, t) => `bf96c5ad${t}${body}`,
    time: { unit: 's', header: 'x-qn-timestamp', tolerance: 300 },
    body: { data: [{ number: '0x1' }] },
  }),
]
