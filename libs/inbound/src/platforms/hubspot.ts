/** HubSpot signs the URL with some of its escapes undone. */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'
import { webhookUrl } from '../signed-content.ts'

export const preset: Preset = {
  source: 'hubspot',
  name: 'HubSpot (v3)',
  description: 'App webhooks with a timestamped HMAC over method, URI, body and time',
  mode: 'hmac_timestamped',
  docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
  configKeys: [SECRET, WEBHOOK_URL],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-HubSpot-Signature-v3' } },
    signed: '{method}{url}{body}{t}',
    content: hubspotContent,
    timestamp: {
      at: { header: 'X-HubSpot-Request-Timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$[*].subscriptionType'],
  deliveryId: ['{$[*].eventId}:{$[*].subscriptionId}:{$[*].occurredAt}'],
  notes:
    'The secret is the client secret of the app. A request holds up to 100 events, which travel as one; its type is that of the first.',
}

/** The escapes of : / ? @ ! $ ' ( ) * , ; and of no other character. */
const UNDONE = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

function hubspotContent(view: RequestView, timestamp: string): Buffer[] {
  const { method, body } = view.request
  const url = webhookUrl(view).replaceAll(UNDONE, (escaped) => decodeURIComponent(escaped))
  return [Buffer.concat([Buffer.from(method + url), body, Buffer.from(timestamp)])]
}
