/** The preset of Dialpad. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'dialpad',
  name: 'Dialpad',
  description: 'Dialpad call, SMS and contact event subscriptions.',
  mode: 'jwt',
  docs: 'https://developers.dialpad.com/docs/webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'jwt',
    at: { wholeBody: true },
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
    event: {},
  },
  eventType: ['$.state'],
  deliveryId: ['{$.call_id}:{$.state}:{$.event_timestamp}'],
  notes:
    'Make the webhook with a secret: without one Dialpad sends plain JSON, which is refused. The event is what the token says.',
}
