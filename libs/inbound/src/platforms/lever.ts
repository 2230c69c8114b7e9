/** The preset of Lever. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'lever',
  name: 'Lever',
  description: 'Lever recruiting webhooks whose signature is inside the JSON body.',
  mode: 'provider_specific',
  docs: 'https://hire.lever.co/developer/documentation#webhooks',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The signature token of the webhook’s settings.',
    },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { json: '$.signature' } },
    signed: '{json:$.token}{t}',
    timestamp: { at: { json: '$.triggeredAt' }, unit: 'milliseconds', toleranceSeconds: null },
  },
  eventType: ['$.event'],
  deliveryId: ['$.id'],
  notes:
    'The signature covers a random text and the time, not the data: ask Lever for it before you trust it.',
}
