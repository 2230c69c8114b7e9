/** The preset of Squarespace. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'squarespace',
  name: 'Squarespace',
  description: 'Squarespace Commerce and extension webhook notifications.',
  mode: 'hmac',
  docs: 'https://developers.squarespace.com/webhooks/verifying-notifications',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Squarespace-Signature' } },
    signed: '{body}',
    key: { config: 'secret', as: 'hex' },
  },
  eventType: ['$.topic'],
  deliveryId: ['$.id'],
}
