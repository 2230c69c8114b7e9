/** Signers of platforms whose names begin with h, i, j or k. */
import { jiraOauthApp } from './atlassian.fixture.ts'
import { hubSubscription } from './e.fixture.ts'
import { hubspot, hubspotV1, hubspotV2, hygraph } from './hashes.fixture.ts'
import { hellosign } from './items.fixture.ts'
import { mac, namedHeader, type Signer, standard, token, urlToken } from './signer.fixture.ts'
import { keycloakToken } from './tokens.fixture.ts'

const run = {
  payload_version: 1,
  notification_configuration_id: 'nc-1',
  run_id: 'run-FwnENkvDnrpyFC7M',
  notifications: [{ message: 'Run Completed', trigger: 'run:completed', run_status: 'applied' }],
}
const issue = {
  timestamp: 1700000000000,
  webhookEvent: 'jira:issue_created',
  issue: { id: '99291' },
}
const login = { uid: '3d1b', time: 1700000000000, realmId: 'r', type: 'access.LOGIN', details: {} }
const build = {
  name: 'job',
  build: { full_url: 'https://jenkins/job/18/', number: 18, phase: 'COMPLETED', status: 'SUCCESS' },
}

export const h: readonly Signer[] = [
  namedHeader({
    source: 'harness',
    body: { eventData: { eventType: 'PipelineSuccess', planExecutionId: 'p' } },
    type: 'PipelineSuccess',
  }),
  mac({
    source: 'hcp-terraform',
    header: 'X-TFE-Notification-Signature',
    digest: ['sha512', 'hex'],
    body: run,
    type: 'run:completed',
    id: 'run-FwnENkvDnrpyFC7M:run:completed:applied',
  }),
  mac({
    source: 'hcp-terraform-run-task',
    header: 'X-TFC-Task-Signature',
    digest: ['sha512', 'hex'],
    body: {
      payload_version: 1,
      stage: 'pre_plan',
      access_token: 't',
      run_id: 'run-1',
      task_result_id: 'taskrs-2nH5dncYoXaMVQmJ',
    },
    type: 'pre_plan',
    id: 'taskrs-2nH5dncYoXaMVQmJ',
  }),
  ...hellosign,
  mac({
    source: 'helpscout',
    header: 'X-HelpScout-Signature',
    digest: ['sha1', 'base64'],
    headers: { 'X-HelpScout-Event': 'convo.created' },
    body: { id: 1, number: 2 },
    type: 'convo.created',
  }),
  mac({
    source: 'heroku',
    header: 'Heroku-Webhook-Hmac-SHA256',
    digest: ['sha256', 'base64'],
    body: {
      action: 'update',
      webhook_metadata: {
        attempt: { id: 'a1' },
        delivery: { id: 'd1' },
        event: { id: '6f1c5e0a', include: 'api:release' },
      },
    },
    type: 'api:release',
    id: '6f1c5e0a',
  }),
  token({
    source: 'honeybadger',
    header: 'Honeybadger-Token',
    body: { event: 'occurred', message: 'm', fault: { id: 3 } },
    type: 'occurred',
  }),
  token({
    source: 'honeybadger',
    variant: 'by authorization',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: { event: 'occurred', fault: { id: 3 } },
    type: 'occurred',
  }),
  ...hubspot,
  hubspotV1,
  hubspotV2,
  hygraph,
  standard({
    source: 'incident-io',
    body: {
      event_type: 'public_incident.incident_created_v2',
      'public_incident.incident_created_v2': { id: '01' },
    },
    type: 'public_incident.incident_created_v2',
  }),
  standard({
    source: 'increase',
    key: 'utf8',
    body: {
      id: 'event_1',
      created_at: '2023-11-14T22:13:20Z',
      category: 'account.created',
      associated_object_type: 'account',
      associated_object_id: 'account_1',
      type: 'event',
    },
    type: 'account.created',
  }),
  mac({
    source: 'instagram',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'instagram',
      entry: [{ id: '0', time: 1700000000, changes: [{ field: 'comments', value: {} }] }],
    },
    type: 'instagram.comments',
    handshakes: hubSubscription,
  }),
  mac({
    source: 'instagram',
    variant: 'of a message',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'instagram',
      entry: [
        {
          id: '0',
          time: 1700000000,
          messaging: [{ timestamp: 1700000000123, message: { mid: 'aWdGGiblWZ', text: 'hi' } }],
        },
      ],
    },
    type: 'instagram',
    id: 'aWdGGiblWZ:1700000000123',
  }),
  mac({
    source: 'intercom',
    header: 'X-Hub-Signature',
    digest: ['sha1', 'hex'],
    show: (s) => `sha1=${s}`,
    body: {
      type: 'notification_event',
      app_id: 'a86dr8yl',
      topic: 'conversation.user.created',
      id: 'notif_8b0e',
      data: {},
    },
    type: 'conversation.user.created',
    id: 'notif_8b0e',
  }),
  namedHeader({
    source: 'jenkins',
    body: build,
    type: 'COMPLETED',
    id: 'https://jenkins/job/18/:COMPLETED',
  }),
  urlToken({
    source: 'jenkins',
    variant: 'in the URL',
    body: build,
    type: 'COMPLETED',
    id: 'https://jenkins/job/18/:COMPLETED',
  }),
  mac({
    source: 'jira',
    header: 'X-Hub-Signature',
    show: (s) => `sha256=${s}`,
    headers: { 'X-Atlassian-Webhook-Identifier': '8a2d9c1e' },
    body: issue,
    type: 'jira:issue_created',
    id: '8a2d9c1e',
  }),
  jiraOauthApp,
  urlToken({
    source: 'jotform',
    contentType: 'multipart/form-data; boundary=xYzZY',
    body: '--xYzZY\r\nContent-Disposition: form-data; name="formID"\r\n\r\n220\r\n--xYzZY\r\nContent-Disposition: form-data; name="submissionID"\r\n\r\n5237\r\n--xYzZY--\r\n',
    id: '5237',
  }),
  urlToken({
    source: 'jumio',
    body: {
      callbackSentAt: '2023-11-14T22:13:20Z',
      workflowExecution: { id: '4a8b', href: 'https://x', definitionKey: '2', status: 'PROCESSED' },
      account: { id: '9' },
    },
    type: 'PROCESSED',
    id: '4a8b:PROCESSED',
  }),
  mac({
    source: 'keycloak',
    header: 'X-Keycloak-Signature',
    body: login,
    type: 'access.LOGIN',
    id: '3d1b',
  }),
  mac({
    source: 'keycloak',
    variant: 'of SHA-1',
    header: 'X-Keycloak-Signature',
    digest: ['sha1', 'hex'],
    config: { algorithm: 'sha1' },
    body: login,
    type: 'access.LOGIN',
    id: '3d1b',
  }),
  keycloakToken,
  mac({
    source: 'klarna',
    header: 'Klarna-Signature',
    headers: { 'Klarna-Signing-Key-Id': 'key-1' },
    body: {
      metadata: { event_type: 'payment.request.state-change.completed', event_id: 'd9f9b1a0' },
      payload: {},
    },
    type: 'payment.request.state-change.completed',
    id: 'd9f9b1a0',
  }),
  mac({
    source: 'klaviyo',
    header: 'Klaviyo-Signature',
    signed: (body, t) => `${body}${t}`,
    time: { unit: 's', header: 'Klaviyo-Timestamp', tolerance: null },
    body: {
      data: [{ topic: 'event:klaviyo.sent_sms', external_id: '5Zq', payload: {} }],
      meta: { version: '1', timestamp: '2023-11-14T22:13:20Z' },
    },
    type: 'event:klaviyo.sent_sms',
    id: '5Zq',
  }),
]
