/** The preset of Twilio. */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'
import { twilioContent } from './twilio.verifier.ts'

export const preset: Preset = {
  source: 'twilio',
  name: 'Twilio',
  description:
    'Voice, messaging and other callbacks; signature covers the exact URL plus sorted POST fields, or the URL with a body hash for JSON',
  mode: 'provider_specific',
  docs: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
  configKeys: [
    { ...SECRET, meaning: 'The account’s primary Auth Token; not an API key’s secret.' },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha1',
    encoding: 'base64',
    signature: { at: { header: 'X-Twilio-Signature' } },
    signed: '{url}, and name and value of each form field, sorted by name',
    content: twilioContent,
  },
  eventType: [
    '$.StatusCallbackEvent',
    '$.MessageStatus',
    '$.SmsStatus',
    '$.CallStatus',
    '$.EventType',
  ],
  deliveryId: ['$.headers.I-Twilio-Idempotency-Token'],
  accepted: { status: 200, type: 'text/xml', body: '<Response/>' },
  notes:
    'Calls and messages get an empty Response as their answer: no reply is sent, and a call ends. No time is signed, so Twilio names no age that is too old.',
}
