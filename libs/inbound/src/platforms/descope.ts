/** The preset of Descope. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'descope',
  name: 'Descope',
  description: 'Descope HTTP/audit webhook connectors with optional HMAC over the body.',
  mode: 'hmac',
  docs: 'https://docs.descope.com/connectors/connector-hmac-usage',
  configKeys: [OPTIONAL_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'base64',
        signature: { at: { header: 'x-descope-webhook-s256' } },
        signed: '{body}',
        needs: ['secret', '!header_name'],
      },
      {
        kind: 'token',
        at: { headerNamedBy: 'header_name' },
        config: 'secret',
        needs: ['secret', 'header_name'],
      },
      BASIC,
    ],
  },
  eventType: ['$.action'],
  deliveryId: [],
  notes:
    'Give the connector an HMAC secret and enter it here; or its API key (header_name and secret); or a user name and a password. How Descope writes its signature is not confirmed by the platform’s documents: test it before you rely on it.',
}
