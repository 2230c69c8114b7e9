/** The preset of GitHub. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'github',
  name: 'GitHub',
  description: 'Repository, organisation and GitHub App events signed over the raw body',
  mode: 'hmac',
  docs: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  configKeys: [SECRET],
  verify: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
  eventType: ['$.headers.X-GitHub-Event'],
  deliveryId: ['$.headers.X-GitHub-Delivery'],
  notes:
    'The signature is there only when the webhook has a secret. Both content types will do; with a form the event is the JSON in its field payload.',
}
