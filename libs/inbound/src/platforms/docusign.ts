/** The preset of DocuSign Connect. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'docusign',
  name: 'DocuSign Connect',
  description: 'Envelope events with one HMAC header per configured key',
  mode: 'hmac',
  docs: 'https://developers.docusign.com/platform/webhooks/connect/validate/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { numberedHeader: 'X-DocuSign-Signature-' } },
    signed: '{body}',
  },
  eventType: ['$.event'],
  deliveryId: ['{$.data.envelopeId}:{$.event}:{$.generatedDateTime}'],
  accepted: { status: 200 },
  notes:
    'Enter the Connect HMAC key as it is shown, with its last =. Types and ids are found in JSON; for XML the type is docusign.event.',
}
