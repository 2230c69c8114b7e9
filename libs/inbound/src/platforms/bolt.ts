/** The preset of Bolt. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bolt',
  name: 'Bolt',
  description: 'Bolt checkout transaction webhooks.',
  mode: 'hmac',
  docs: 'https://help.bolt.com/developers/references/webhooks/hook-verification/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Bolt-Hmac-Sha256', { encoding: 'base64' }),
  eventType: ['$.type', '$.object'],
  deliveryId: ['{$.type}:{$.id}'],
  notes: 'Not confirmed by the platform’s documents.',
}
