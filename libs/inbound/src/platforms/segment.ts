/** The preset of Segment. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'segment',
  name: 'Segment',
  description: 'Segment webhook destinations.',
  mode: 'hmac',
  docs: 'https://segment.com/docs/connections/destinations/catalog/actions-webhook/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Signature', { algorithm: 'sha1' }),
  eventType: ['$.event', '$.type'],
  deliveryId: ['$.messageId'],
  notes:
    'Switch batching off: of a batch Segment signs the first event only, and whoever has seen one could put others behind it. Batches are refused.',
}
