/** The preset of Checkr. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'checkr',
  name: 'Checkr',
  description: "Checkr background-check events signed with the account's API key.",
  mode: 'hmac',
  docs: 'https://docs.checkr.com/#section/Webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-Checkr-Signature'),
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes: 'The secret is the API key of the account.',
}
