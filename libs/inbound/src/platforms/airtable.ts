/** The preset of Airtable. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'airtable',
  name: 'Airtable',
  description: 'Base change pings signed with a base64 MAC secret',
  mode: 'hmac',
  docs: 'https://airtable.com/developers/web/api/webhooks-overview',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'X-Airtable-Content-MAC' },
      format: { kind: 'bare', prefix: 'hmac-sha256=' },
    },
    signed: '{body}',
    key: { config: 'secret', as: 'base64' },
  },
  eventType: [],
  deliveryId: [],
  notes:
    'Enter macSecretBase64 from the answer to the webhook’s creation. A ping says only that a base has changed: ask Airtable for the payloads. Airtable forgets a webhook after seven days unless it is refreshed.',
}
