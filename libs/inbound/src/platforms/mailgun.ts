/** The preset of Mailgun. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mailgun',
  name: 'Mailgun',
  description: 'Email events carrying an HMAC of timestamp and token inside the JSON body',
  mode: 'provider_specific',
  docs: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  configKeys: [
    { ...SECRET, meaning: 'The HTTP webhook signing key of the account; not the API key.' },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { json: '$.signature.signature' } },
        signed: '{t}{json:$.signature.token}',
        timestamp: {
          at: { json: '$.signature.timestamp' },
          unit: 'seconds',
          toleranceSeconds: null,
        },
      },
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { form: 'signature' } },
        signed: '{t}{form:token}',
        timestamp: { at: { form: 'timestamp' }, unit: 'seconds', toleranceSeconds: null },
      },
    ],
  },
  eventType: ["$['event-data'].event", '$.event'],
  deliveryId: ["$['event-data'].id", '$.signature.token', '$.token'],
  accepted: { status: 200 },
  notes:
    'Mailgun signs a time and a random token, not the event itself. It repeats a webhook for 8 hours with the first time, so no age is too old. Inbound routes that send multipart forms can’t be verified: choose events.',
}
