/** The preset of Forgejo. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'forgejo',
  name: 'Forgejo',
  description: 'Forgejo (Codeberg) repository webhooks.',
  mode: 'hmac',
  docs: 'https://forgejo.org/docs/latest/user/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [
      bodyHmac('X-Forgejo-Signature'),
      bodyHmac('X-Gitea-Signature'),
      bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
    ],
  },
  eventType: ['$.headers.X-Forgejo-Event'],
  deliveryId: ['$.headers.X-Forgejo-Delivery'],
  notes:
    'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
}
