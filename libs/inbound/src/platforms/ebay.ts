/** The preset of eBay. */
import type { Preset } from '../preset.ts'
import { answerEbay, verifyEbay } from './ebay.verifier.ts'

export const preset: Preset = {
  source: 'ebay',
  name: 'eBay',
  description: 'eBay Notification API (marketplace account deletion and other topics).',
  mode: 'asymmetric',
  docs: 'https://developer.ebay.com/api-docs/commerce/notification/overview.html',
  configKeys: [
    {
      name: 'client_id',
      secret: false,
      required: true,
      meaning: 'The App ID of the application.',
    },
    {
      name: 'client_secret',
      secret: true,
      required: true,
      meaning: 'Its Cert ID: eBay shows its public keys to applications.',
    },
    {
      name: 'verification_token',
      secret: true,
      required: true,
      meaning: 'The verification token that was entered at eBay with the URL.',
    },
    {
      name: 'endpoint_url',
      secret: false,
      required: false,
      meaning: 'The URL as it was entered at eBay, when it is not the inbound endpoint’s own.',
    },
  ],
  verify: { kind: 'custom', verify: verifyEbay, headers: ['x-ebay-signature'] },
  handshakes: [{ when: { method: 'GET', has: [{ query: 'challenge_code' }] }, custom: answerEbay }],
  eventType: ['$.metadata.topic'],
  deliveryId: ['$.notification.notificationId'],
  notes: 'For the production environment; eBay’s sandbox has other keys.',
}
