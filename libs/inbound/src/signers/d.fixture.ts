/** Signers of platforms whose names begin with d. */
import { asymmetric } from './asymmetric.fixture.ts'
import { rawKey } from './keys.fixture.ts'
import { basic, mac, NEVER, namedHeader, type Signer, urlToken } from './signer.fixture.ts'
import { dialpad } from './tokens.fixture.ts'

const monitor = {
  id: '2468',
  event_type: 'metric_alert_monitor',
  title: 'CPU high',
  last_updated: '1700000000000',
}
const descope = {
  action: 'LoginSucceed',
  actorId: 'U2',
  type: 'info',
  occurred: 1700000000000,
  tenants: [],
}
const signed = {
  event: 'envelope-completed',
  apiVersion: 'v2.1',
  retryCount: 0,
  configurationId: 1,
  generatedDateTime: '2023-11-14T22:13:20.000Z',
  data: { envelopeId: 'b' },
}

export const d: readonly Signer[] = [
  mac({
    source: 'daily-co',
    header: 'X-Webhook-Signature',
    key: 'base64',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'X-Webhook-Timestamp', tolerance: 300 },
    body: {
      version: '1.0.0',
      type: 'recording.ready-to-download',
      id: 'rec-rtd-c3df927c-f738-4471-a2b7-066fa7e95a6b-1692124192',
      payload: {},
      event_ts: 1692124192,
    },
    type: 'recording.ready-to-download',
    id: 'rec-rtd-c3df927c-f738-4471-a2b7-066fa7e95a6b-1692124192',
  }),
  mac({
    source: 'daily-co',
    variant: 'in milliseconds',
    header: 'X-Webhook-Signature',
    key: 'base64',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 'ms', header: 'X-Webhook-Timestamp', tolerance: 300 },
    body: { type: 'meeting.started', id: 'mtg-1' },
    type: 'meeting.started',
    id: 'mtg-1',
  }),
  mac({
    source: 'databricks',
    header: 'X-Databricks-Signature',
    body: {
      event: 'MODEL_VERSION_CREATED',
      webhook_id: 'c5596721253c4b429368cf6f4341b88a',
      event_timestamp: 1700000000000,
      model_name: 'm',
    },
    type: 'MODEL_VERSION_CREATED',
  }),
  namedHeader({ source: 'datadog', body: monitor, type: monitor.event_type, id: monitor.id }),
  basic({
    source: 'datadog',
    variant: 'by password',
    body: monitor,
    type: monitor.event_type,
    id: monitor.id,
  }),
  basic({
    source: 'datocms',
    body: {
      webhook_id: '1',
      webhook_call_id: '99',
      site_id: '2',
      environment: 'main',
      event_type: 'publish',
      entity_type: 'item',
      entity: {},
    },
    type: 'publish',
    id: '99',
  }),
  mac({
    source: 'dbt-cloud',
    header: 'Authorization',
    body: {
      accountId: 1,
      eventId: 'wev_2L6m5BggBw9uPNuSmtg4MUiW4Re',
      timestamp: '2023-11-14T22:13:20Z',
      eventType: 'job.run.completed',
      data: { runId: '12345' },
    },
    type: 'job.run.completed',
    id: 'wev_2L6m5BggBw9uPNuSmtg4MUiW4Re',
  }),
  mac({
    source: 'deel',
    header: 'x-deel-signature',
    signed: (body) => `POST${body}`,
    body: {
      data: { meta: { event_type: 'contract.created', event_type_id: 'e' }, resource: {} },
      timestamp: '2023-11-14T22:13:20Z',
    },
    type: 'contract.created',
  }),
  mac({
    source: 'descope',
    header: 'x-descope-webhook-s256',
    digest: ['sha256', 'base64'],
    body: descope,
    type: 'LoginSucceed',
  }),
  basic({ source: 'descope', variant: 'by password', body: descope, type: 'LoginSucceed' }),
  ...dialpad,
  asymmetric({
    source: 'discord',
    kind: 'ed25519',
    hash: null,
    encoding: 'hex',
    shown: (name) => rawKey(name).toString('hex'),
    header: 'X-Signature-Ed25519',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'X-Signature-Timestamp', tolerance: null },
    body: {
      type: 2,
      id: '846462639134605312',
      application_id: '1',
      data: { name: 'cardsearch' },
      token: 'A_UNIQUE_TOKEN',
      version: 1,
    },
    type: '2',
    id: '846462639134605312',
    handshakes: [
      {
        of: 'an interaction',
        signed: true,
        request: { headers: {}, body: '{"type":1,"id":"1","application_id":"2","version":1}' },
        answer: {
          status: 200,
          body: '{"type":1}',
          headers: { 'content-type': 'application/json' },
        },
      },
      {
        of: 'webhook events',
        signed: true,
        request: {
          headers: {},
          body: '{"version":1,"application_id":"1234560123453231555","type":0}',
        },
        answer: { status: 204, body: '' },
      },
    ],
  }),
  asymmetric({
    source: 'discord',
    variant: 'an event',
    kind: 'ed25519',
    hash: null,
    encoding: 'hex',
    shown: (name) => rawKey(name).toString('hex'),
    header: 'X-Signature-Ed25519',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'X-Signature-Timestamp', tolerance: null },
    body: {
      version: 1,
      application_id: '1234560123453231555',
      type: 1,
      event: { type: 'APPLICATION_AUTHORIZED', timestamp: '2023-11-14T22:13:20.908Z', data: {} },
    },
    type: 'APPLICATION_AUTHORIZED',
  }),
  urlToken({
    source: 'docker-hub',
    body: {
      callback_url: 'https://registry.hub.docker.com/u/x',
      push_data: { pushed_at: 1700000000, pusher: 'trustedbuilder', tag: 'latest' },
      repository: { repo_name: 'svendowideit/testhook' },
    },
  }),
  mac({
    source: 'docusign',
    header: 'X-DocuSign-Signature-1',
    digest: ['sha256', 'base64'],
    headers: { 'X-Authorization-Digest': 'HMACSHA256' },
    body: signed,
    type: signed.event,
    id: 'b:envelope-completed:2023-11-14T22:13:20.000Z',
  }),
  {
    ...mac({
      source: 'docusign',
      variant: 'by the second key',
      header: 'X-DocuSign-Signature-2',
      digest: ['sha256', 'base64'],
      headers: { 'X-DocuSign-Signature-1': 'MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=' },
      body: signed,
      type: signed.event,
      id: 'b:envelope-completed:2023-11-14T22:13:20.000Z',
    }),
    carriedIn: ['X-DocuSign-Signature-1', 'X-DocuSign-Signature-2'],
  },
  mac({
    source: 'doppler',
    header: 'X-Doppler-Signature',
    show: (s) => `sha256=${s}`,
    body: { type: 'config.secrets.update', config: { name: 'prd' }, project: { id: 'p' } },
    type: 'config.secrets.update',
  }),
  mac({
    source: 'dropbox',
    header: 'X-Dropbox-Signature',
    body: {
      list_folder: { accounts: ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc'] },
      delta: { users: [12345678] },
    },
    id: NEVER,
    handshakes: [
      {
        of: 'the URI',
        request: { method: 'GET', url: '?challenge=abc123', headers: {}, body: '' },
        answer: {
          status: 200,
          body: 'abc123',
          headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
        },
      },
    ],
  }),
  mac({
    source: 'dwolla',
    header: 'X-Request-Signature-SHA-256',
    body: {
      id: '80d8ff7d-7e5a-4975-ade8-9e97306d6c15',
      resourceId: '6',
      topic: 'transfer_created',
      timestamp: '2023-11-14T22:13:20Z',
    },
    type: 'transfer_created',
    id: '80d8ff7d-7e5a-4975-ade8-9e97306d6c15',
  }),
]
