/** The preset of Veriff. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'veriff',
  name: 'Veriff',
  description: "Veriff decision and event webhooks signed with the integration's shared secret.",
  mode: 'hmac',
  docs: 'https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security',
  configKeys: [
    { ...SECRET, meaning: 'The integration’s shared secret key.' },
    {
      name: 'api_key',
      secret: false,
      required: false,
      meaning: 'The integration’s API key, which Veriff sends besides; compared when it is set.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      {
        kind: 'any',
        of: [bodyHmac('X-HMAC-SIGNATURE'), bodyHmac('VRF-HMAC-SIGNATURE')],
      },
      {
        kind: 'any',
        needs: ['api_key'],
        of: [
          { kind: 'token', at: { header: 'X-AUTH-CLIENT' }, config: 'api_key' },
          { kind: 'token', at: { header: 'VRF-AUTH-CLIENT' }, config: 'api_key' },
        ],
      },
    ],
  },
  eventType: ['$.action', '$.verification.status'],
  deliveryId: [],
}
