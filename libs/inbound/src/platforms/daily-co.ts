/** The preset of Daily.co. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'daily-co',
  name: 'Daily.co',
  description: 'Daily.co meeting and recording webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.daily.co/reference/rest-api/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Webhook-Signature' } },
    signed: '{t}.{body}',
    key: { config: 'secret', as: 'base64' },
    timestamp: { at: { header: 'X-Webhook-Timestamp' }, unit: 'auto', toleranceSeconds: 300 },
  },
  handshakes: [
    {
      when: { method: 'POST', has: [{ json: '$.test' }], hasNot: [{ json: '$.type' }] },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  accepted: { status: 200 },
  notes:
    'Make the webhook with a hmac secret of your own, in base64, entered here before: Daily tests the inbound endpoint while it makes the webhook. What that test looks like is not confirmed by the platform’s documents.',
}
