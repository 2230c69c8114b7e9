/** The preset of TikTok Shop. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'tiktok-shop',
  name: 'TikTok Shop',
  description: 'TikTok Shop Partner Center order and package webhooks.',
  mode: 'hmac',
  docs: 'https://partner.tiktokshop.com/docv2/page/tts-webhooks-overview',
  configKeys: [
    { name: 'app_key', secret: false, required: true, meaning: 'The app’s key.' },
    { ...SECRET, meaning: 'The app’s secret.' },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Authorization' } },
    signed: '{config:app_key}{body}',
  },
  eventType: ['$.type'],
  deliveryId: ['$.tts_notification_id'],
  accepted: { status: 200 },
  notes: 'Types are numbers. Not confirmed by the platform’s documents.',
}
