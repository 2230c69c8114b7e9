/** The preset of Box. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'box',
  name: 'Box',
  description:
    'V2 webhook events with two HMACs (primary and secondary key) over body and delivery time',
  mode: 'hmac_timestamped',
  docs: 'https://developer.box.com/guides/webhooks/v2/signatures-v2',
  configKeys: [
    {
      name: 'primary_key',
      secret: true,
      required: false,
      meaning: 'The primary signature key of the app.',
    },
    {
      name: 'secondary_key',
      secret: true,
      required: false,
      meaning: 'The secondary one: while keys are rotated either is enough.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'base64',
        signature: { at: { header: 'BOX-SIGNATURE-PRIMARY' } },
        signed: '{body}{t}',
        key: { config: 'primary_key' },
        timestamp: {
          at: { header: 'BOX-DELIVERY-TIMESTAMP' },
          unit: 'iso8601',
          toleranceSeconds: 600,
        },
        needs: ['primary_key'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'base64',
        signature: { at: { header: 'BOX-SIGNATURE-SECONDARY' } },
        signed: '{body}{t}',
        key: { config: 'secondary_key' },
        timestamp: {
          at: { header: 'BOX-DELIVERY-TIMESTAMP' },
          unit: 'iso8601',
          toleranceSeconds: 600,
        },
        needs: ['secondary_key'],
      },
    ],
  },
  eventType: ['$.trigger'],
  deliveryId: ['$.headers.BOX-DELIVERY-ID'],
}
