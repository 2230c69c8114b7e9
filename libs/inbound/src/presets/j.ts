/** The platforms from Jenkins to Jumio. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, SECRET, URL_TOKEN } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const j: readonly Preset[] = [
  {
    source: 'jenkins',
    name: 'Jenkins',
    description:
      'Jenkins build notifications sent by plugins; core has no outgoing webhook and nothing is signed.',
    mode: 'token',
    docs: 'https://plugins.jenkins.io/notification/',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, { ...URL_TOKEN, required: false }],
    verify: {
      kind: 'any',
      of: [
        namedHeader(),
        { kind: 'token', at: { query: 'token' }, config: 'url_token', needs: ['url_token'] },
      ],
    },
    eventType: ['$.build.phase'],
    deliveryId: ['{$.build.full_url}:{$.build.phase}'],
    notes:
      'Jenkins itself sends no webhooks: what its plugins send depends on them. Have the plugin or the pipeline send a header (header_name and secret), or a token in the URL. Not confirmed by the platform’s documents.',
  },
  {
    source: 'jira',
    name: 'Jira Cloud (admin webhooks)',
    description:
      'Issue, project and other events from admin-created webhooks signed over the raw body when a secret is set',
    mode: 'hmac',
    docs: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
    eventType: ['$.webhookEvent'],
    deliveryId: ['$.headers.X-Atlassian-Webhook-Identifier'],
    notes:
      'Give the webhook a secret: without one nothing is signed. For webhooks of OAuth apps use jira-oauth-app, of Connect apps atlassian-connect.',
  },
  {
    source: 'jira-oauth-app',
    name: 'Jira Cloud (OAuth 2.0 dynamic webhooks)',
    description:
      'Dynamic webhooks registered by OAuth apps, authenticated by a JWT signed with the app client secret',
    mode: 'jwt',
    docs: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/#webhooks-authentication-for-oauth-2-0-apps',
    configKeys: [
      {
        name: 'client_secret',
        secret: true,
        required: true,
        meaning: 'The client secret of the OAuth 2.0 app.',
      },
    ],
    verify: {
      kind: 'jwt',
      at: { header: 'Authorization' },
      scheme: 'Bearer ',
      algorithms: ['HS256'],
      key: { config: 'client_secret', as: 'utf8' },
    },
    eventType: ['$.webhookEvent'],
    deliveryId: ['$.headers.X-Atlassian-Webhook-Identifier'],
    notes:
      'The token says who sends, not what: the body is protected by TLS alone. What else the token says is not confirmed by the platform’s documents.',
  },
  {
    source: 'jotform',
    name: 'Jotform',
    description: 'Submission posts as multipart form data; not signed',
    mode: 'none',
    docs: 'https://www.jotform.com/help/245-how-to-setup-a-webhook-with-jotform/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: [],
    deliveryId: ['$.submissionID'],
    notes:
      'Jotform signs nothing: the token in the URL is all that protects the receiver. Every event is a submission. Not confirmed by the platform’s documents.',
  },
  {
    source: 'jumio',
    name: 'Jumio',
    description: 'Jumio verification callbacks; authenticated by source IP, not signed.',
    mode: 'token',
    docs: 'https://documentation.jumio.ai/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.workflowExecution.status', '$.callbackType', '$.verificationStatus'],
    deliveryId: ['{$.workflowExecution.id}:{$.workflowExecution.status}'],
    accepted: { status: 200 },
    notes:
      'Jumio signs nothing: the token in the URL is all that protects the receiver, for the sender’s address is not checked here. Ask Jumio for the result before you trust it.',
  },
]
