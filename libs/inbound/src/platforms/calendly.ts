/** The preset of Calendly. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'calendly',
  name: 'Calendly',
  description: 'Invitee and routing-form events with a timestamped HMAC',
  mode: 'hmac_timestamped',
  docs: 'https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Calendly-Webhook-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 180 },
  },
  eventType: ['$.event'],
  deliveryId: ['{$.event}:{$.payload.uri}:{$.created_at}'],
  notes:
    'Enter the signing key that was given when the subscription was made. What is older than three minutes is refused.',
}
