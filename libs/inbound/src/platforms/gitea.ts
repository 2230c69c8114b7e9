/** The preset of Gitea. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'gitea',
  name: 'Gitea',
  description: 'Gitea repository, organization and system webhooks.',
  mode: 'hmac',
  docs: 'https://docs.gitea.com/usage/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [bodyHmac('X-Gitea-Signature'), bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' })],
  },
  eventType: ['$.headers.X-Gitea-Event'],
  deliveryId: ['$.headers.X-Gitea-Delivery'],
  notes:
    'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
}
