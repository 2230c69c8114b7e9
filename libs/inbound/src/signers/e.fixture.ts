/** Signers of platforms whose names begin with e or f. */
import { ebay } from './ebay.fixture.ts'
import {
  bodyToken,
  type Handshake,
  mac,
  namedHeader,
  type Signer,
  standard,
  token,
  urlToken,
} from './signer.fixture.ts'
import { fireblocks, fusionauth } from './tokens.fixture.ts'

/** Facebook's, which Instagram, Messenger and WhatsApp share. */
export const hubSubscription: readonly Handshake[] = [
  {
    of: 'the subscription',
    request: {
      method: 'GET',
      url: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=meatyhamhock',
      headers: {},
      body: '',
    },
    config: { secret: 's', verify_token: 'meatyhamhock' },
    answer: { status: 200, body: '1158201444' },
  },
  {
    of: 'a stranger',
    request: {
      method: 'GET',
      url: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=guess',
      headers: {},
      body: '',
    },
    config: { secret: 's', verify_token: 'meatyhamhock' },
    answer: { status: 403 },
  },
]

const order = {
  config: {
    action: 'order.placed',
    endpoint_url: 'https://hooks.example.com',
    user_id: '1',
    webhook_id: '2',
  },
  api_url: 'https://www.eventbriteapi.com/v3/orders/1/',
}
const push = { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, commits: [] }
const forgejo = {
  'X-Forgejo-Event': 'push',
  'X-Gitea-Event': 'push',
  'X-GitHub-Event': 'push',
  'X-Forgejo-Delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
}

export const e: readonly Signer[] = [
  mac({
    source: 'easypost',
    header: 'X-Hmac-Signature',
    secrets: ['s\u00e9cret-one', 's\u00e9cret-two'],
    show: (s) => `hmac-sha256-hex=${s}`,
    body: {
      description: 'tracker.updated',
      mode: 'production',
      id: 'evt_1',
      object: 'Event',
      result: { id: 'trk_1' },
    },
    type: 'tracker.updated',
    id: 'evt_1',
    key: 'nfkd',
  }),
  ebay,
  standard({
    source: 'etsy',
    body: { event_type: 'order.paid', resource_url: 'https://api.etsy.com/v3/1', shop_id: '5' },
    type: 'order.paid',
  }),
  standard({
    source: 'etsy',
    variant: 'by the other names',
    names: 'svix',
    body: { event_type: 'order.paid', shop_id: '5' },
    type: 'order.paid',
  }),
  urlToken({
    source: 'eventbrite',
    headers: { 'X-Eventbrite-Event': 'order.placed', 'X-Eventbrite-Delivery': '13574' },
    body: order,
    type: 'order.placed',
    id: '13574',
  }),
  mac({
    source: 'facebook',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'page',
      entry: [{ id: '0', time: 1700000000, changes: [{ field: 'feed', value: {} }] }],
    },
    type: 'page.feed',
    handshakes: hubSubscription,
  }),
  mac({
    source: 'fastly',
    header: 'X-SigSci-Signature',
    body: {
      created: '2023-11-14T22:13:20Z',
      type: 'siteDisplayNameChanged',
      payload: {},
      link: 'https://x',
    },
    type: 'siteDisplayNameChanged',
  }),
  bodyToken({
    source: 'figma',
    at: ['passcode'],
    secretIn: 'passcode',
    body: {
      event_type: 'FILE_COMMENT',
      passcode: '',
      timestamp: '2023-11-14T22:13:20Z',
      webhook_id: '22',
      comment_id: '32',
    },
    type: 'FILE_COMMENT',
  }),
  ...fireblocks,
  mac({
    source: 'firehydrant',
    header: 'fh-signature',
    body: {
      data: { incident: { id: 'a' } },
      event: { operation: 'CREATED', resource_type: 'incident' },
    },
    type: 'incident.CREATED',
  }),
  mac({
    source: 'fivetran',
    header: 'X-Fivetran-Signature-256',
    show: (s) => s.toUpperCase(),
    body: {
      event: 'sync_end',
      created: '2023-11-14T22:13:20Z',
      connector_id: 'c',
      sync_id: '8b2e',
      data: {},
    },
    type: 'sync_end',
  }),
  token({
    source: 'flutterwave',
    header: 'verif-hash',
    body: { event: 'charge.completed', data: { id: 285959875, status: 'successful' } },
    type: 'charge.completed',
    id: 'charge.completed:285959875:successful',
  }),
  mac({
    source: 'flutterwave-v4',
    header: 'flutterwave-signature',
    digest: ['sha256', 'base64'],
    body: {
      webhook_id: 'wbk_1',
      timestamp: 1700000000000,
      type: 'charge.completed',
      data: { id: 'chg_1' },
    },
    type: 'charge.completed',
    id: 'wbk_1',
  }),
  mac({
    source: 'forgejo',
    header: 'X-Forgejo-Signature',
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
  mac({
    source: 'forgejo',
    variant: 'of Gitea',
    header: 'X-Gitea-Signature',
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
  mac({
    source: 'forgejo',
    variant: 'of GitHub',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
  mac({
    source: 'formstack',
    header: 'X-FS-Signature',
    show: (s) => `sha256=${s}`,
    body: 'FormID=6606394&UniqueID=1500878955&HandshakeKey=test',
    id: '1500878955',
  }),
  mac({
    source: 'formstack',
    variant: 'by another header',
    header: 'X-Ours',
    config: { header_name: 'X-Ours' },
    show: (s) => `sha256=${s}`,
    body: { FormID: '6606394', UniqueID: '1500878955' },
    id: '1500878955',
  }),
  namedHeader({ source: 'freshdesk', body: { freshdesk_webhook: { ticket_id: 7 } } }),
  mac({
    source: 'front',
    header: 'X-Front-Signature',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 'ms', header: 'X-Front-Request-Timestamp', tolerance: 300 },
    body: {
      type: 'inbound_received',
      authorization: { id: 'cmp_1' },
      payload: { id: 'evt_55c8c149', type: 'inbound' },
    },
    type: 'inbound_received',
    id: 'evt_55c8c149',
    handshakes: [
      {
        of: 'the subscription',
        request: { headers: { 'X-Front-Challenge': 'yu5Ha2wTqz' }, body: '{}' },
        answer: { status: 200, body: 'yu5Ha2wTqz' },
      },
    ],
  }),
  ...fusionauth,
]
