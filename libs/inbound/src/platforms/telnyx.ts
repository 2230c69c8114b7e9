/** The preset of Telnyx. */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'telnyx',
  name: 'Telnyx',
  description: 'Telnyx voice, messaging and number-order webhooks (API v2).',
  mode: 'asymmetric',
  docs: 'https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks',
  configKeys: [{ ...PUBLIC_KEY, meaning: 'The public key in Mission Control, base64.' }],
  verify: {
    kind: 'asymmetric',
    algorithm: 'ed25519',
    encoding: 'base64',
    signature: { at: { header: 'telnyx-signature-ed25519' } },
    signed: '{t}|{body}',
    key: { config: 'public_key' },
    timestamp: { at: { header: 'telnyx-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['$.data.event_type'],
  deliveryId: ['$.data.id'],
}
