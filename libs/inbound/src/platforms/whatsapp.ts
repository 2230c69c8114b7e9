/** The preset of WhatsApp Business. */
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'

export const preset: Preset = {
  source: 'whatsapp',
  name: 'WhatsApp Business',
  description: 'WhatsApp Business Cloud API events (Meta).',
  mode: 'hmac',
  docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
  configKeys: [{ ...SECRET, meaning: 'The Meta app’s secret.' }, VERIFY_TOKEN],
  verify: META_SIGNATURE,
  handshakes: [META_CHALLENGE],
  eventType: [
    '{$.entry[0].changes[0].field}.{$.entry[0].changes[0].value.statuses[0].status}',
    '$.entry[0].changes[0].field',
  ],
  deliveryId: [
    '{$.entry[*].changes[*].value.statuses[*].id}:{$.entry[*].changes[*].value.statuses[*].status}',
    '$.entry[*].changes[*].value.messages[*].id',
  ],
  accepted: { status: 200 },
}
