/** The preset of Generic HMAC. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SECRET } from '../schemes/config-keys.ts'
import { GENERIC_HMAC } from '../schemes/generic-hmac.ts'

export const preset: Preset = {
  source: 'generic-hmac',
  name: 'Generic HMAC',
  description:
    'Any sender that signs the raw body with a shared secret; header, algorithm, encoding and prefix are user settings.',
  mode: 'hmac',
  docs: 'https://www.rfc-editor.org/rfc/rfc2104',
  configKeys: [
    SECRET,
    { ...HEADER_NAME, required: true, meaning: 'The header that holds the signature.' },
    {
      name: 'prefix',
      secret: false,
      required: false,
      meaning: 'What stands before the signature in its header, as in sha256=.',
    },
    {
      name: 'algorithm',
      secret: false,
      required: false,
      meaning: 'Default: sha256.',
      values: ['sha1', 'sha256', 'sha384', 'sha512'],
    },
    {
      name: 'encoding',
      secret: false,
      required: false,
      meaning: 'Default: hex.',
      values: ['hex', 'base64'],
    },
  ],
  verify: GENERIC_HMAC,
  eventType: [],
  deliveryId: [],
  notes: 'For senders that sign the body alone. The event’s type comes from eventTypeMapping.',
}
