/** The preset of Formstack. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'formstack',
  name: 'Formstack',
  description: 'Formstack Forms submission webhook with an HMAC key.',
  mode: 'hmac',
  docs: 'https://help.formstack.com/',
  configKeys: [SECRET, HEADER_NAME],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { headerNamedBy: 'header_name', or: 'X-FS-Signature' },
      format: { kind: 'bare', prefix: 'sha256=' },
    },
    signed: '{body}',
  },
  eventType: [],
  deliveryId: ['$.UniqueID'],
  notes: 'Give the webhook an HMAC key. Every event is a submission; FormID names its form.',
}
