/** The preset of Jira Cloud (admin webhooks). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
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
}
