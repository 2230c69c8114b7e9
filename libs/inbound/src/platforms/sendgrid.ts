/** The preset of SendGrid (Event Webhook). */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sendgrid',
  name: 'SendGrid (Event Webhook)',
  description: 'Email event batches signed with an ECDSA key pair; you store the public key',
  mode: 'asymmetric',
  docs: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
  configKeys: [
    {
      ...PUBLIC_KEY,
      meaning:
        'The verification key that SendGrid shows when the signed event webhook is switched on.',
    },
  ],
  verify: {
    kind: 'asymmetric',
    algorithm: 'ecdsa-sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Twilio-Email-Event-Webhook-Signature' } },
    signed: '{t}{body}',
    key: { config: 'public_key' },
    timestamp: {
      at: { header: 'X-Twilio-Email-Event-Webhook-Timestamp' },
      unit: 'seconds',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$[*].event'],
  deliveryId: ['$[*].sg_event_id'],
  notes:
    'Switch on the signed event webhook: without it nothing is signed. A request holds a batch of events: they are one event here, named by the first. Inbound Parse is verified with the same key when a security policy signs it.',
}
