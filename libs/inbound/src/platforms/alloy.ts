/** The preset of Alloy. */
import type { Preset } from '../preset.ts'
import { OPTIONAL_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'alloy',
  name: 'Alloy',
  description:
    'Alloy identity-decisioning webhooks with basic auth, OAuth2 or (on request) an HMAC in Authorization.',
  mode: 'hmac',
  docs: 'https://developer.alloy.com/public/docs/hash-based-message-authentication-code-hmac',
  configKeys: [OPTIONAL_SECRET, USERNAME, PASSWORD],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'base64',
        signature: { at: { header: 'Authorization' } },
        signed: '{body}',
        needs: ['secret'],
      },
      BASIC,
    ],
  },
  eventType: ['$.type'],
  deliveryId: ['$.request_token'],
  notes:
    'Alloy signs on request; otherwise it sends a user name and a password. Set what Alloy has set up for you.',
}
