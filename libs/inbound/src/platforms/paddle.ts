/** The preset of Paddle Billing. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'paddle',
  name: 'Paddle Billing',
  description: 'Paddle Billing notifications with timestamp and HMAC in one header',
  mode: 'hmac_timestamped',
  docs: 'https://developer.paddle.com/webhooks/signature-verification',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Paddle-Signature' },
      format: { kind: 'fields', separator: ';', signature: 'h1', timestamp: 'ts' },
    },
    signed: '{t}:{body}',
    timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 5 },
  },
  eventType: ['$.event_type'],
  deliveryId: ['$.event_id'],
  notes:
    'Paddle says that what is older than 5 seconds must be refused: keep this server’s clock right.',
}
