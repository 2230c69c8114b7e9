/** The preset of Bitbucket. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bitbucket',
  name: 'Bitbucket',
  description: 'Bitbucket Cloud repository and workspace events signed over the raw body',
  mode: 'hmac',
  docs: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
  eventType: ['$.headers.X-Event-Key'],
  deliveryId: ['$.headers.X-Request-UUID', '$.headers.X-Request-Id'],
  notes:
    'For Bitbucket Cloud and Data Center. The signature is there only when the webhook has a secret.',
}
