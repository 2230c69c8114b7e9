/** Signers of platforms whose names begin with a. */
import { asymmetric } from './asymmetric.fixture.ts'
import { atlassianConnect, atlassianInstallation } from './atlassian.fixture.ts'
import { azureEventGrid } from './azure.fixture.ts'
import {
  basic,
  bodyToken,
  mac,
  namedHeader,
  type Signer,
  standard,
  token,
  urlToken,
} from './signer.fixture.ts'
import { adyen } from './items.fixture.ts'
import { sns } from './sns.fixture.ts'

const agora = {
  noticeId: '2000001428:4330:107',
  productId: 1,
  eventType: 101,
  payload: { channelName: 'test', ts: 1560396834, uid: 12121212 },
}
const alloy = {
  request_token: '8b2e1d3a-request',
  type: 'application_updated',
  timestamp: 1700000000000,
  data: { entity_token: 'P-1' },
}
const afterShip = {
  event: 'tracking_update',
  event_id: 'fd39f8a1-0e0a-4f1b-9a39-b0f7f3c1a1a1',
  msg: { id: 'trk1', tag: 'InTransit' },
  ts: 1700000000,
}
const awsEvent = {
  version: '0',
  id: '7bf73129-1428-4cd3-a780-95db273d1602',
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2023-11-14T22:13:20Z',
  region: 'us-east-1',
  resources: [],
  detail: { state: 'terminated' },
}
const devOps = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 3,
  id: '27646e0e-b520-4d2b-9411-bba7524947cd',
  eventType: 'git.push',
  publisherId: 'tfs',
  resource: { commits: [] },
}

export const a: readonly Signer[] = [
  urlToken({
    source: 'activecampaign',
    body: 'type=subscribe&date_time=2023-11-14T22%3A13%3A20-06%3A00&contact%5Bid%5D=42',
    type: 'subscribe',
  }),
  asymmetric({
    source: 'adobe-commerce',
    body: { data: { order: { increment_id: '000000001' } } },
    kind: 'rsa',
    hash: 'sha256',
    header: 'x-adobe-commerce-webhook-signature',
    signed: (body) => Buffer.from(body).toString('base64'),
  }),
  asymmetric({
    source: 'adobe-io-events',
    body: {
      event_id: '1f2e',
      recipient_client_id: 'client-1',
      recipientclientid: 'client-1',
      specversion: '1.0',
      type: 'com.adobe.acrobatsign.agreement_created',
      id: 'ce-1',
      source: 'urn:uuid:1',
      data: {},
    },
    headers: {
      'x-adobe-event-id': '9e5a39e5-5bd1-4d02-a5a9-ef4d8a8e2c1f',
      'x-adobe-public-key2-path': '/prod/keys/pub-key-none.pem',
    },
    type: 'com.adobe.acrobatsign.agreement_created',
    id: '9e5a39e5-5bd1-4d02-a5a9-ef4d8a8e2c1f',
    kind: 'rsa',
    hash: 'sha256',
    header: 'x-adobe-digital-signature-1',
    keyAt: {
      header: 'x-adobe-public-key1-path',
      text: (key) => `/prod/keys/pub-${key}.pem`,
      url: (key) => `https://static.adobeioevents.com/prod/keys/pub-${key}.pem`,
    },
    pinned: { client_id: 'client-1' },
    handshakes: [
      {
        of: 'a question of GET',
        request: {
          method: 'GET',
          url: '?challenge=8ec8d794-e0ab-42df-9017-e3dada8e84f7',
          headers: {},
          body: '',
        },
        answer: { status: 200, body: '8ec8d794-e0ab-42df-9017-e3dada8e84f7' },
      },
    ],
  }),
  token({
    source: 'adobe-sign',
    header: 'X-AdobeSign-ClientId',
    secretIn: 'client_id',
    body: {
      webhookId: 'w1',
      webhookName: 'all',
      webhookNotificationId: 'b4f2f7de-9c1b-4f0a-a9c8-1a1b2c3d4e5f',
      event: 'AGREEMENT_CREATED',
      agreement: { id: 'CBJCHBCAABAA' },
    },
    type: 'AGREEMENT_CREATED',
    id: 'b4f2f7de-9c1b-4f0a-a9c8-1a1b2c3d4e5f',
    handshakes: [
      {
        of: 'the intent',
        request: { method: 'GET', headers: { 'X-AdobeSign-ClientId': 'UB7E5BXCXY' }, body: '' },
        config: { client_id: 'UB7E5BXCXY' },
        answer: { status: 200, headers: { 'X-AdobeSign-ClientId': 'UB7E5BXCXY' } },
      },
    ],
  }),
  adyen,
  mac({
    source: 'adyen-platform',
    header: 'HmacSignature',
    headers: { Protocol: 'HmacSHA256' },
    key: 'hex',
    digest: ['sha256', 'base64'],
    body: {
      data: { balancePlatform: 'P', accountHolder: { id: 'AH1', status: 'active' } },
      environment: 'test',
      timestamp: '2023-11-14T22:13:20+01:00',
      type: 'balancePlatform.accountHolder.created',
    },
    type: 'balancePlatform.accountHolder.created',
  }),
  mac({
    source: 'affirm',
    header: 'X-Affirm-Signature',
    digest: ['sha512', 'hex'],
    body: 'event=confirmed&checkout_token=ABC&order_id=7',
    type: 'confirmed',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v0=${s}`,
    time: { unit: 's', tolerance: 300 },
  }),
  mac({
    source: 'aftership',
    header: 'aftership-hmac-sha256',
    digest: ['sha256', 'base64'],
    body: afterShip,
    type: 'tracking_update',
    id: afterShip.event_id,
  }),
  mac({
    source: 'aftership',
    variant: 'returns',
    header: 'as-signature-hmac-sha256',
    digest: ['sha256', 'base64'],
    body: afterShip,
    type: 'tracking_update',
    id: afterShip.event_id,
  }),
  mac({
    source: 'aftership',
    variant: 'shipping',
    header: 'am-webhook-signature',
    digest: ['sha256', 'base64'],
    show: (s) => `hmac-sha256=${s}`,
    body: { event_id: 'e9', event_type: 'label.created' },
    type: 'label.created',
    id: 'e9',
  }),
  mac({
    source: 'agora',
    header: 'Agora-Signature-V2',
    body: agora,
    type: '101',
    id: agora.noticeId,
  }),
  mac({
    source: 'agora',
    variant: 'of SHA-1',
    header: 'Agora-Signature',
    digest: ['sha1', 'hex'],
    body: agora,
    type: '101',
    id: agora.noticeId,
  }),
  bodyToken({
    source: 'aircall',
    at: ['token'],
    secretIn: 'token',
    body: {
      resource: 'call',
      event: 'call.created',
      timestamp: 1700000000,
      token: '',
      data: { id: 812, direction: 'inbound' },
    },
    type: 'call.created',
    id: '812:call.created:1700000000',
  }),
  mac({
    source: 'airtable',
    header: 'X-Airtable-Content-MAC',
    key: 'base64',
    show: (s) => `hmac-sha256=${s}`,
    body: {
      base: { id: 'app00000000000000' },
      webhook: { id: 'ach00000000000000' },
      timestamp: '2023-11-14T22:13:20.000Z',
    },
  }),
  mac({
    source: 'alchemy',
    header: 'X-Alchemy-Signature',
    secrets: ['whsec_dGhpcyBpcyB0ZXh0', 'whsec_b3RoZXI='],
    body: {
      webhookId: 'wh_octjglnywaupz6th',
      id: 'whevt_ogrc5v64myey69ux',
      createdAt: '2023-11-14T22:13:20Z',
      type: 'ADDRESS_ACTIVITY',
      event: {},
    },
    type: 'ADDRESS_ACTIVITY',
    id: 'whevt_ogrc5v64myey69ux',
  }),
  mac({
    source: 'alloy',
    header: 'Authorization',
    digest: ['sha256', 'base64'],
    body: alloy,
    type: alloy.type,
    id: alloy.request_token,
  }),
  basic({
    source: 'alloy',
    variant: 'by password',
    body: alloy,
    type: alloy.type,
    id: alloy.request_token,
  }),
  ...sns('amazon-sns', 3600),
  standard({
    source: 'anthropic',
    body: {
      type: 'event',
      id: 'whe_01',
      created_at: '2023-11-14T22:13:20Z',
      data: { type: 'session.completed', id: 'session_1' },
    },
    type: 'session.completed',
    id: 'whe_01',
  }),
  mac({
    source: 'asana',
    header: 'X-Hook-Signature',
    body: {
      events: [
        {
          user: { gid: '1' },
          created_at: '2023-11-14T22:13:20Z',
          action: 'changed',
          resource: { gid: '77', resource_type: 'task' },
        },
      ],
    },
    type: 'changed',
    handshakes: [
      {
        of: 'the secret',
        request: {
          headers: {
            'X-Hook-Secret': 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
          },
          body: '{}',
        },
        config: {},
        answer: {
          status: 200,
          headers: {
            'X-Hook-Secret': 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
          },
          learned: { secret: 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81' },
        },
      },
    ],
  }),
  mac({
    source: 'ashby',
    header: 'Ashby-Signature',
    show: (s) => `sha256=${s}`,
    body: { action: 'candidateHire', data: { application: { id: 'a1' } } },
    type: 'candidateHire',
  }),
  atlassianConnect,
  atlassianInstallation,
  token({
    source: 'auth0',
    header: 'Authorization',
    body: [{ log_id: '90020231114221320', data: { type: 's', client_id: 'c' } }],
    type: 's',
    id: '90020231114221320',
  }),
  mac({
    source: 'authorize-net',
    header: 'X-ANET-Signature',
    digest: ['sha512', 'hex'],
    secrets: ['2679A5D5785C9B26CF921E1754765CDD', 'B265C9C88400786923E5343B315954FA'],
    show: (s) => `sha512=${s.toUpperCase()}`,
    body: {
      notificationId: 'f813b98f-3552-4eeb-ba40-acb4704eeba3',
      eventType: 'net.authorize.payment.authcapture.created',
      payload: { id: '6' },
    },
    type: 'net.authorize.payment.authcapture.created',
    id: 'f813b98f-3552-4eeb-ba40-acb4704eeba3',
  }),
  namedHeader({
    source: 'aws-eventbridge',
    body: awsEvent,
    type: 'EC2_Instance_State-change_Notification',
    id: awsEvent.id,
  }),
  basic({
    source: 'aws-eventbridge',
    variant: 'by password',
    body: awsEvent,
    type: 'EC2_Instance_State-change_Notification',
    id: awsEvent.id,
  }),
  ...sns('aws-sns', null),
  basic({ source: 'azure-devops', body: devOps, type: 'git.push', id: devOps.id }),
  namedHeader({
    source: 'azure-devops',
    variant: 'by header',
    body: devOps,
    type: 'git.push',
    id: devOps.id,
  }),
  ...azureEventGrid,
]
