/** The preset of Agora. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'agora',
  name: 'Agora',
  description: 'Agora notification center (RTC, cloud recording) callbacks.',
  mode: 'hmac',
  docs: 'https://docs.agora.io/en/video-calling/advanced-features/receive-notifications',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [bodyHmac('Agora-Signature-V2'), bodyHmac('Agora-Signature', { algorithm: 'sha1' })],
  },
  eventType: ['$.eventType'],
  deliveryId: ['$.noticeId'],
  accepted: { status: 200 },
}
