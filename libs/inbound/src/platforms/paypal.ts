/** The preset of PayPal. */
import type { Preset } from '../preset.ts'
import { verifyPaypal } from './paypal.verifier.ts'

export const preset: Preset = {
  source: 'paypal',
  name: 'PayPal',
  description:
    'REST webhooks signed with RSA over id, time, webhook id and body CRC; certificate fetched from PayPal',
  mode: 'asymmetric',
  docs: 'https://developer.paypal.com/api/rest/webhooks/rest/',
  configKeys: [
    {
      name: 'webhook_id',
      secret: false,
      required: true,
      meaning: 'The id that PayPal gave the webhook.',
    },
  ],
  verify: {
    kind: 'custom',
    verify: verifyPaypal,
    headers: [
      'PAYPAL-TRANSMISSION-SIG',
      'PAYPAL-TRANSMISSION-ID',
      'PAYPAL-TRANSMISSION-TIME',
      'PAYPAL-CERT-URL',
      'PAYPAL-AUTH-ALGO',
    ],
  },
  eventType: ['$.event_type'],
  deliveryId: ['$.id'],
  notes:
    'Events of the dashboard’s simulator have the webhook id WEBHOOK_ID. PayPal names no age that is too old.',
}
