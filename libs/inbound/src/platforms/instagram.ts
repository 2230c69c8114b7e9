/** The preset of Instagram. */
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'

export const preset: Preset = {
  source: 'instagram',
  name: 'Instagram',
  description: 'Instagram comments, mentions and messaging webhooks (Meta).',
  mode: 'hmac',
  docs: 'https://developers.facebook.com/docs/instagram-platform/webhooks',
  configKeys: [SECRET, VERIFY_TOKEN],
  verify: META_SIGNATURE,
  handshakes: [META_CHALLENGE],
  eventType: ['{$.object}.{$.entry[*].changes[*].field}', '$.object'],
  deliveryId: ['{$.entry[*].messaging[*].message.mid}:{$.entry[*].messaging[*].timestamp}'],
  notes:
    'With Instagram Login the secret is the Instagram app secret, not that of the Facebook app. Enter the verify token here before you enter the URL at Meta.',
}
