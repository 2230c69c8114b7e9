/** The preset of Okta. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'okta',
  name: 'Okta',
  description: 'Okta event hooks with a static auth header and a one-time verification GET.',
  mode: 'token',
  docs: 'https://developer.okta.com/docs/concepts/event-hooks/',
  configKeys: [HEADER_NAME, SHARED_SECRET],
  verify: namedHeader(),
  handshakes: [
    {
      when: { method: 'GET', has: [{ header: 'x-okta-verification-challenge' }] },
      echo: { header: 'x-okta-verification-challenge' },
      as: { json: 'verification' },
    },
  ],
  eventType: ['$.data.events[*].eventType', '$.eventType'],
  deliveryId: ['$.eventId'],
  notes: 'Several events may come in one request: they are one event here, named by the first.',
}
