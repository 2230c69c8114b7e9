/** The preset of Sumsub. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sumsub',
  name: 'Sumsub',
  description: 'Sumsub applicant webhooks with a digest header and a header naming the algorithm.',
  mode: 'hmac',
  docs: 'https://docs.sumsub.com/docs/webhooks#verify-webhook-sender',
  configKeys: [
    SECRET,
    {
      name: 'algorithm',
      secret: false,
      required: false,
      values: ['sha1', 'sha256', 'sha512'],
      meaning: 'As chosen for the webhook at Sumsub. Default: sha256.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { header: 'X-Payload-Digest' } },
        signed: '{body}',
        needs: ['algorithm?=sha256'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha512',
        encoding: 'hex',
        signature: { at: { header: 'X-Payload-Digest' } },
        signed: '{body}',
        needs: ['algorithm=sha512'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha1',
        encoding: 'hex',
        signature: { at: { header: 'X-Payload-Digest' } },
        signed: '{body}',
        needs: ['algorithm=sha1'],
      },
    ],
  },
  eventType: ['$.type'],
  deliveryId: ['{$.applicantId}:{$.type}:{$.createdAtMs}'],
}
