/** The preset of Rippling. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'rippling',
  name: 'Rippling',
  description:
    'Rippling app webhooks; signing scheme could not be confirmed from public documentation.',
  mode: 'hmac',
  docs: 'https://developer.rippling.com/',
  configKeys: [
    SECRET,
    { ...HEADER_NAME, meaning: 'The header of the signature. Default: X-Rippling-Signature.' },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { headerNamedBy: 'header_name', or: 'X-Rippling-Signature' } },
    signed: '{body}',
  },
  eventType: [],
  deliveryId: [],
  notes:
    'Not confirmed by the platform’s documents. Give the inbound endpoint an eventTypeMapping.',
}
