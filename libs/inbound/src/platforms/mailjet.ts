/** The preset of Mailjet. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'mailjet',
  name: 'Mailjet',
  description: 'Mailjet event API callbacks.',
  mode: 'basic_auth',
  docs: 'https://dev.mailjet.com/email/guides/webhooks/',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: BASIC,
  eventType: ['$[*].event', '$.event'],
  deliveryId: [],
  accepted: { status: 200 },
  notes:
    'Put the name and the password into the URL that you enter at Mailjet: https://name:password@host/…. Nothing is signed. Not confirmed by the platform’s documents.',
}
