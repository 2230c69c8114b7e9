/** The preset of Jira Cloud (OAuth 2.0 dynamic webhooks). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
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
}
