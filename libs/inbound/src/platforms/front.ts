/** The preset of Front. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'front',
  name: 'Front',
  description: 'Front application webhooks and rule webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://dev.frontapp.com/docs/application-webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Front-Signature' } },
    signed: '{t}:{body}',
    timestamp: {
      at: { header: 'X-Front-Request-Timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 300,
    },
  },
  handshakes: [
    {
      when: { method: 'POST', has: [{ header: 'X-Front-Challenge' }] },
      echo: { header: 'X-Front-Challenge' },
      as: { text: true },
    },
  ],
  eventType: ['$.type'],
  deliveryId: ['$.payload.id'],
  notes:
    'For webhooks of an application. Those of the older rules are signed in another way and refused.',
}
