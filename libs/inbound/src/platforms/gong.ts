/** The preset of Gong. */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'gong',
  name: 'Gong',
  description: 'Gong automation-rule webhooks with signed JWT authentication.',
  mode: 'jwt',
  docs: 'https://help.gong.io/docs/create-a-webhook-rule',
  configKeys: [PUBLIC_KEY, WEBHOOK_URL],
  verify: {
    kind: 'jwt',
    at: { header: 'Authorization' },
    scheme: 'Bearer ',
    optionalScheme: true,
    algorithms: ['RS256'],
    key: { config: 'public_key' },
    claims: [
      { claim: 'webhook_url', is: { text: '{url}' } },
      { claim: 'body_sha256', is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' } },
    ],
  },
  eventType: [],
  deliveryId: ['$.callData.metaData.id'],
  notes:
    'Choose Signed JWT header in the rule, and copy its public key. When a rule is run again for the same call, that is no second event.',
}
