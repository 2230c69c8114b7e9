/** The preset of Column. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'column',
  name: 'Column',
  description: 'Column banking-as-a-service event webhooks.',
  mode: 'hmac',
  docs: 'https://column.com/docs/workingwithapi/events-and-webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('Column-Signature'),
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes: 'That the signature is in hex is not confirmed by the platform’s documents.',
}
