/** The preset of Alchemy. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'alchemy',
  name: 'Alchemy',
  description: 'Alchemy Notify (address activity, mined, NFT, custom) webhooks.',
  mode: 'hmac',
  docs: 'https://www.alchemy.com/docs/reference/notify-api-quickstart#webhook-signature--security',
  configKeys: [SECRET],
  verify: bodyHmac('X-Alchemy-Signature'),
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes: 'Enter the signing key whole, with its whsec_.',
}
