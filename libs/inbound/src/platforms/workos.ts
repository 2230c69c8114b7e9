/** The preset of WorkOS. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'workos',
  name: 'WorkOS',
  description: 'WorkOS directory-sync, SSO, user-management and audit events.',
  mode: 'hmac_timestamped',
  docs: 'https://workos.com/docs/events/data-syncing/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'WorkOS-Signature' },
      format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: 180 },
  },
  eventType: ['$.event'],
  deliveryId: ['$.id'],
  notes: 'Requests of WorkOS Actions need a signed answer and are not for this.',
}
