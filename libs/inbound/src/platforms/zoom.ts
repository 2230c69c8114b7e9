/** The preset of Zoom. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'zoom',
  name: 'Zoom',
  description: 'Marketplace app events with a timestamped HMAC and a recurring endpoint validation',
  mode: 'hmac_timestamped',
  docs: 'https://developers.zoom.us/docs/api/webhooks/',
  configKeys: [{ ...SECRET, meaning: 'The app’s secret token.' }],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'x-zm-signature' }, format: { kind: 'bare', prefix: 'v0=' } },
    signed: 'v0:{t}:{body}',
    timestamp: { at: { header: 'x-zm-request-timestamp' }, unit: 'auto', toleranceSeconds: 300 },
  },
  handshakes: [
    {
      // Answered only once it is verified: the answer is a signature of what the request holds.
      signed: true,
      when: {
        method: 'POST',
        equals: [{ at: { json: '$.event' }, text: 'endpoint.url_validation' }],
      },
      echo: { json: '$.payload.plainToken' },
      as: {
        hash: 'encryptedToken',
        beside: 'plainToken',
        key: 'secret',
        encoding: 'hex',
        alphabet: /^[A-Za-z0-9_-]{1,200}$/,
      },
    },
  ],
  eventType: ['$.event'],
  deliveryId: [],
  accepted: { status: 200 },
}
