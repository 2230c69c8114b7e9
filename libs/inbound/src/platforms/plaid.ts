/** The preset of Plaid. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { verifyPlaid } from './plaid.verifier.ts'

export const preset: Preset = {
  source: 'plaid',
  name: 'Plaid',
  description: 'Bank-data events authenticated by an ES256 JWT that carries the body hash',
  mode: 'jwt',
  docs: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
  configKeys: [
    { name: 'client_id', secret: false, required: true, meaning: 'Your client id at Plaid.' },
    {
      ...SECRET,
      meaning:
        'Your API secret at Plaid for this environment; its keys are shown to its customers only.',
    },
    {
      name: 'environment',
      secret: false,
      required: false,
      values: ['sandbox', 'production'],
      meaning: 'Of Plaid. Default: production.',
    },
  ],
  verify: { kind: 'custom', verify: verifyPlaid, headers: ['Plaid-Verification'] },
  eventType: ['{$.webhook_type}.{$.webhook_code}', '$.webhook_code'],
  deliveryId: [],
  accepted: { status: 200 },
  notes:
    'We ask Plaid for its keys with your client id and secret, which are used for nothing else.',
}
