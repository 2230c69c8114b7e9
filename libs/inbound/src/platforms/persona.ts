/** The preset of Persona. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'persona',
  name: 'Persona',
  description: 'Persona identity-verification events with a Stripe-like timestamped signature.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.withpersona.com/webhooks-best-practices',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Persona-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't', sets: ' ' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.data.attributes.name'],
  deliveryId: ['$.data.id'],
  notes: 'Persona names no age that is too old: five minutes are ours.',
}
