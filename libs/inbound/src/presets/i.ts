/** The platforms from incident.io to Intercom. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const i: readonly Preset[] = [
  {
    source: 'incident-io',
    name: 'incident.io',
    description: 'incident.io incident and alert webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.incident.io/integrations/webhooks',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.event_type'],
    deliveryId: ['$.headers.webhook-id'],
  },
  {
    source: 'increase',
    name: 'Increase',
    description: 'Increase banking API events.',
    mode: 'hmac_timestamped',
    docs: 'https://increase.com/documentation/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [
        standardWebhooks('webhook', 'utf8'),
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: {
            at: { header: 'Increase-Webhook-Signature' },
            format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
          },
          signed: '{t}.{body}',
          timestamp: { at: 'signature', unit: 'iso8601', toleranceSeconds: 300 },
        },
      ],
    },
    eventType: ['$.category'],
    deliveryId: ['$.headers.webhook-id'],
    notes: 'Enter the shared secret as it is shown.',
  },
  {
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
  },
  {
    source: 'intercom',
    name: 'Intercom',
    description: 'Topic notifications signed with the app client secret',
    mode: 'hmac',
    docs: 'https://developers.intercom.com/docs/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature', { algorithm: 'sha1', prefix: 'sha1=' }),
    eventType: ['$.topic'],
    deliveryId: ['$.id'],
    accepted: { status: 200 },
    notes: 'The secret is the client secret of the app.',
  },
]
