/** The preset of Recurly. */
import type { Preset } from '../preset.ts'
import { OPTIONAL_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'recurly',
  name: 'Recurly',
  description:
    'JSON webhooks with a millisecond timestamp and one or more HMACs; XML webhooks are unsigned',
  mode: 'hmac_timestamped',
  docs: 'https://docs.recurly.com/recurly-subscriptions/docs/signature-verification',
  configKeys: [{ ...OPTIONAL_SECRET, meaning: 'The endpoint’s secret key.' }, USERNAME, PASSWORD],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: {
          at: { header: 'recurly-signature' },
          format: { kind: 'list', separator: ',', firstIs: 't' },
        },
        signed: '{t}.{body}',
        // The documents say milliseconds, and show an example in seconds.
        timestamp: { at: 'signature', unit: 'auto', toleranceSeconds: 300 },
        needs: ['secret'],
      },
      { ...BASIC, needs: ['username', 'password', '!secret'] },
    ],
  },
  eventType: ['{$.object_type}.{$.event_type}', '$.event_type'],
  deliveryId: ['$.id'],
  notes:
    'XML webhooks are not signed: they need a name and a password, which are looked at while no secret is set.',
}
