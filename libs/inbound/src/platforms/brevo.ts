/** The preset of Brevo. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'brevo',
  name: 'Brevo',
  description: 'Brevo (Sendinblue) transactional and marketing webhooks.',
  mode: 'token',
  docs: 'https://developers.brevo.com/docs/username-and-password-authentication',
  configKeys: [SHARED_SECRET, HEADER_NAME],
  verify: {
    kind: 'token',
    at: { headerNamedBy: 'header_name', or: 'Authorization' },
    scheme: 'Bearer ',
    optionalScheme: true,
    config: 'secret',
  },
  eventType: ['$.event'],
  deliveryId: ['{$.message-id}:{$.event}:{$.ts_event}'],
  notes:
    'Brevo signs nothing. Enter the token of the webhook’s authentication; or a header of your own (header_name and secret); or, for a user name and a password in the URL, the whole value that begins with Basic. Not confirmed by the platform’s documents.',
}
