/** The preset of ShipStation / ShipEngine. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'shipstation',
  name: 'ShipStation / ShipEngine',
  description: 'ShipStation API v2 / ShipEngine webhooks.',
  mode: 'asymmetric',
  docs: 'https://docs.shipstation.com/webhooks',
  configKeys: [],
  verify: {
    kind: 'asymmetric',
    algorithm: 'rsa-sha256',
    encoding: 'base64',
    signature: { at: { header: 'x-shipengine-rsa-sha256-signature' } },
    signed: '{t}.{body}',
    key: {
      jwks: 'https://api.shipengine.com/jwks',
      kid: { header: 'x-shipengine-rsa-sha256-key-id' },
    },
    timestamp: {
      at: { header: 'x-shipengine-timestamp' },
      unit: 'iso8601',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$.resource_type'],
  deliveryId: [],
  notes:
    'Nothing to configure: the keys are published. They are the same for all customers, so the signature tells that ShipStation sent it, not for whom. Webhooks of the old API v1 are not signed and are refused.',
}
