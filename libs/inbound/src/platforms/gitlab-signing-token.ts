/** The preset of GitLab (signing token). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'gitlab-signing-token',
  name: 'GitLab (signing token)',
  description:
    'Newer GitLab hooks with an HMAC signing token that follow the Standard Webhooks scheme',
  mode: 'hmac_timestamped',
  docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.headers.X-Gitlab-Event'],
  deliveryId: ['$.headers.webhook-id'],
  notes:
    'Enter the signing token whole, with its whsec_. A secret token, sent beside it, is not looked at.',
}
