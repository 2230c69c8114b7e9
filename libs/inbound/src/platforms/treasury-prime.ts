/** The preset of Treasury Prime. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'treasury-prime',
  name: 'Treasury Prime',
  description: 'Treasury Prime account and transaction webhooks.',
  mode: 'basic_auth',
  docs: 'https://developers.treasuryprime.com/docs/webhooks',
  configKeys: [
    { ...REQUIRED_USERNAME, meaning: 'The basic_user that you gave the webhook.' },
    { ...REQUIRED_PASSWORD, meaning: 'Its basic_secret.' },
  ],
  verify: BASIC,
  eventType: ['$.event'],
  deliveryId: [],
  neverDeduplicated: true,
  notes:
    'Nothing is signed. A webhook names what has changed and no more, alike for each change: repeats are not recognized.',
}
