/** The preset of Cloudflare Stream. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'cloudflare-stream',
  name: 'Cloudflare Stream',
  description:
    'Cloudflare Stream video-ready and error webhooks with a timestamped HMAC signature.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Webhook-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'sig1', timestamp: 'time' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.status.state'],
  deliveryId: ['{$.uid}:{$.status.state}'],
  notes: 'Enter the secret that the Stream API answered when the webhook was set.',
}
