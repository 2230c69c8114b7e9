/** The preset of Adyen (standard webhooks). */
import type { Preset } from '../preset.ts'
import { PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'
import { verifyAdyenItems } from './adyen.verifier.ts'

export const preset: Preset = {
  source: 'adyen',
  name: 'Adyen (standard webhooks)',
  description: 'Payment notifications; each item holds its own HMAC over eight chosen fields',
  mode: 'provider_specific',
  docs: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The HMAC key from the Customer Area, in hex. Several while it is rotated.',
    },
    USERNAME,
    PASSWORD,
  ],
  verify: {
    kind: 'all',
    of: [{ kind: 'custom', verify: verifyAdyenItems, usesJsonBody: true }, BASIC],
  },
  eventType: ['$.notificationItems[*].NotificationRequestItem.eventCode'],
  deliveryId: [
    '{$.notificationItems[*].NotificationRequestItem.pspReference}:{$.notificationItems[*].NotificationRequestItem.eventCode}:{$.notificationItems[*].NotificationRequestItem.success}',
  ],
  notes:
    'Only eight fields of an item are signed: reference, original reference, merchant account and reference, amount, currency, event code and success. A user name and a password, when they are set here, are demanded as well.',
}
