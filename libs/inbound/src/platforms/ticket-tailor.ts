/** The preset of Ticket Tailor. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'ticket-tailor',
  name: 'Ticket Tailor',
  description: 'Ticket Tailor order, ticket and event webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.tickettailor.com/docs/webhook/verify',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Tickettailor-Webhook-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.event'],
  deliveryId: ['$.id'],
}
