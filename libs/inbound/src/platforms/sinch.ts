/** The preset of Sinch (Conversation). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { withKind } from '../schemes/member-named.ts'

export const preset: Preset = {
  source: 'sinch',
  name: 'Sinch (Conversation)',
  description: 'Sinch Conversation API (and newer Sinch Events) webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.sinch.com/docs/conversation/callbacks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'x-sinch-webhook-signature' } },
    signed: '{body}.{header:x-sinch-webhook-signature-nonce}.{t}',
    timestamp: {
      at: { header: 'x-sinch-webhook-signature-timestamp' },
      unit: 'seconds',
      toleranceSeconds: 300,
    },
  },
  unpack: (document) =>
    withKind(document, (_, value) => typeof value === 'object' && value !== null),
  eventType: ['$.kind'],
  deliveryId: [],
}
