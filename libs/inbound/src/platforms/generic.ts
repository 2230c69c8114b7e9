/** The preset of Generic. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'generic',
  name: 'Generic',
  description:
    'Any sender that signs the body with HMAC-SHA256, in hex, in a header that you name.',
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
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { headerNamedBy: 'header_name' },
      format: { kind: 'bare', prefix: '{config:prefix}' },
    },
    signed: '{body}',
  },
  eventType: [],
  deliveryId: [],
  notes:
    'The signature is the HMAC-SHA256 of the body, in hex. The event’s type comes from eventTypeMapping.',
}
