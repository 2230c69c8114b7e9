/** The preset of Dropbox. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'dropbox',
  name: 'Dropbox',
  description: 'Account change pings signed with the app secret',
  mode: 'hmac',
  docs: 'https://www.dropbox.com/developers/reference/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Dropbox-Signature'),
  handshakes: [
    {
      when: { method: 'GET', has: [{ query: 'challenge' }] },
      echo: { query: 'challenge' },
      as: { text: true },
    },
  ],
  eventType: [],
  deliveryId: [],
  neverDeduplicated: true,
  notes: 'A notification names accounts only: ask Dropbox for the changes.',
}
