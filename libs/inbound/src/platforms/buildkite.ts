/** The preset of Buildkite. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'buildkite',
  name: 'Buildkite',
  description:
    'Buildkite pipeline, job, agent and registry webhooks with an HMAC signature or a plain token.',
  mode: 'hmac_timestamped',
  docs: 'https://buildkite.com/docs/apis/webhooks/pipelines#webhook-signature',
  configKeys: [
    SECRET,
    {
      name: 'auth_mode',
      secret: false,
      required: false,
      meaning:
        'How Buildkite proves itself: signature (the default here) or token, as chosen in its webhook.',
      values: ['signature', 'token'],
    },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: {
          at: { header: 'X-Buildkite-Signature' },
          format: {
            kind: 'fields',
            separator: ',',
            signature: 'signature',
            timestamp: 'timestamp',
          },
        },
        signed: '{t}.{body}',
        timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
        needs: ['auth_mode?=signature'],
      },
      {
        kind: 'token',
        at: { header: 'X-Buildkite-Token' },
        config: 'secret',
        needs: ['auth_mode=token'],
      },
    ],
  },
  eventType: ['$.headers.X-Buildkite-Event', '$.event'],
  deliveryId: [],
  notes:
    'Choose the signature in Buildkite: by itself it sends the token in the clear, for which auth_mode must be token.',
}
