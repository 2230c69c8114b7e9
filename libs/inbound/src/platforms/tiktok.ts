/** The preset of TikTok. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'tiktok',
  name: 'TikTok',
  description: 'TikTok for Developers webhooks (Login Kit, Content Posting, Data Portability).',
  mode: 'hmac_timestamped',
  docs: 'https://developers.tiktok.com/doc/webhooks-verification',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'TikTok-Signature' },
      format: { kind: 'fields', separator: ',', signature: 's', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.event'],
  deliveryId: [],
  accepted: { status: 200 },
  notes: 'TikTok names no age that is too old: five minutes are ours.',
}
