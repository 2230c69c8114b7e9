/** The preset of Zoho Payments. */
import type { Preset } from '../preset.ts'
import type { HmacRule } from '../verification-rules.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'zoho-payments',
  name: 'Zoho Payments',
  description: 'Zoho Payments webhook events.',
  mode: 'hmac_timestamped',
  docs: 'https://www.zoho.com/in/payments/developerdocs/webhooks/verification/',
  configKeys: [SECRET],
  // The documents write the header in both ways.
  verify: {
    kind: 'any',
    of: [zohoSignature('X-Zoho-Webhook-Signature'), zohoSignature('X-ZohoWebhook-Signature')],
  },
  eventType: ['$.event_type'],
  deliveryId: ['$.event_id'],
}

function zohoSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header },
      format: { kind: 'fields', separator: ',', signature: 'v', timestamp: 't' },
    },
    signed: '{t}.{body}',
    timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: 300 },
  }
}
