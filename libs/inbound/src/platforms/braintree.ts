/** The preset of Braintree. */
import type { Preset } from '../preset.ts'
import { answerBraintree, unpackBraintree, verifyBraintree } from './braintree.verifier.ts'

export const preset: Preset = {
  source: 'braintree',
  name: 'Braintree',
  description:
    'Gateway notifications posted as two form fields: a list of public-key/HMAC pairs and a base64 XML payload',
  mode: 'provider_specific',
  docs: 'https://developer.paypal.com/braintree/docs/guides/webhooks/parse/node',
  configKeys: [
    {
      name: 'public_key',
      secret: false,
      required: true,
      meaning: 'The public key of the gateway’s API keys.',
    },
    {
      name: 'private_key',
      secret: true,
      required: true,
      meaning: 'The private key that belongs to it.',
    },
  ],
  verify: { kind: 'custom', verify: verifyBraintree },
  handshakes: [
    { when: { method: 'GET', has: [{ query: 'bt_challenge' }] }, custom: answerBraintree },
  ],
  eventType: ['$.notification.kind'],
  deliveryId: [],
  unpack: unpackBraintree,
  notes: 'The event arrives as Braintree sends it: a form whose bt_payload is base64 of XML.',
}
