/** The preset of GitLab (secret token). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'gitlab',
  name: 'GitLab (secret token)',
  description: 'Project, group and system hooks that echo a static secret token',
  mode: 'token',
  docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  configKeys: [
    { name: 'secret', secret: true, required: true, meaning: 'The secret token of the webhook.' },
  ],
  verify: { kind: 'token', at: { header: 'X-Gitlab-Token' }, config: 'secret' },
  eventType: ['$.headers.X-Gitlab-Event', '$.object_kind'],
  deliveryId: ['$.headers.Idempotency-Key'],
  notes:
    'GitLab sends the secret token itself and signs nothing. Newer versions can sign: use gitlab-signing-token for these.',
}
