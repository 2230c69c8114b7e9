/** The preset of CircleCI. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'circleci',
  name: 'CircleCI',
  description: 'CircleCI outbound webhooks for workflow-completed and job-completed.',
  mode: 'hmac',
  docs: 'https://circleci.com/docs/outbound-webhooks/#validate-webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'circleci-signature' },
      format: { kind: 'list', separator: ',', prefix: 'v1=' },
    },
    signed: '{body}',
  },
  eventType: ['$.headers.circleci-event-type', '$.type'],
  deliveryId: ['$.id'],
  notes: 'The signature is there only when the webhook has a secret.',
}
