/** The preset of Intercom. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'intercom',
  name: 'Intercom',
  description: 'Topic notifications signed with the app client secret',
  mode: 'hmac',
  docs: 'https://developers.intercom.com/docs/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Hub-Signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  eventType: ['$.topic'],
  deliveryId: ['$.id'],
  accepted: { status: 200 },
  notes: 'The secret is the client secret of the app.',
}
