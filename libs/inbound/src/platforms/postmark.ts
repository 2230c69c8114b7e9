/** The preset of Postmark. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'postmark',
  name: 'Postmark',
  description:
    'Email event webhooks; no signature, protected by HTTP Basic credentials or custom headers you set',
  mode: 'basic_auth',
  docs: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: BASIC,
  eventType: ['$.RecordType'],
  deliveryId: [],
  accepted: { status: 200 },
  notes:
    'Put the name and the password into the URL that you enter at Postmark: https://name:password@host/…. Nothing is signed.',
}
