/** The preset of Cloudinary. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'cloudinary',
  name: 'Cloudinary',
  description: 'Cloudinary upload, eager and moderation notifications.',
  mode: 'provider_specific',
  docs: 'https://cloudinary.com/documentation/notification_signatures',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The API secret of the product environment.',
    },
    {
      name: 'algorithm',
      secret: false,
      required: false,
      meaning: 'The account’s signature algorithm. Default: sha1.',
      values: ['sha1', 'sha256'],
    },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha1',
        encoding: 'hex',
        signature: { at: { header: 'X-Cld-Signature' } },
        signed: '{body}{t}{key}',
        bareHash: true,
        timestamp: { at: { header: 'X-Cld-Timestamp' }, unit: 'seconds', toleranceSeconds: 7200 },
        needs: ['algorithm?=sha1'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { header: 'X-Cld-Signature' } },
        signed: '{body}{t}{key}',
        bareHash: true,
        timestamp: { at: { header: 'X-Cld-Timestamp' }, unit: 'seconds', toleranceSeconds: 7200 },
        needs: ['algorithm=sha256'],
      },
    ],
  },
  eventType: ['$.notification_type'],
  deliveryId: ['$.request_id'],
}
