/** The preset of Facebook. */
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'

export const preset: Preset = {
  source: 'facebook',
  name: 'Facebook',
  description: 'Facebook Page, user and ad webhooks (Meta Graph API).',
  mode: 'hmac',
  docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
  configKeys: [SECRET, VERIFY_TOKEN],
  verify: META_SIGNATURE,
  handshakes: [META_CHALLENGE],
  eventType: ['{$.object}.{$.entry[*].changes[*].field}', '$.object'],
  deliveryId: [],
  notes:
    'The secret is the app secret. Enter the verify token here before you enter the URL at Meta.',
}
