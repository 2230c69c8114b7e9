/** The preset of PandaDoc. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'pandadoc',
  name: 'PandaDoc',
  description: 'Document events with the HMAC passed as a query parameter',
  mode: 'hmac',
  docs: 'https://developers.pandadoc.com/docs/webhook-verification',
  configKeys: [{ ...SECRET, meaning: 'The shared key of the webhook subscription.' }],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { query: 'signature' } },
    signed: '{body}',
  },
  eventType: ['$[*].event'],
  deliveryId: [],
  notes: 'A request holds a list of notifications: they are one event here, named by the first.',
}
