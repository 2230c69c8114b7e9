/**
 * An independent signer of Braintree: a form whose payload is signed with a hash of the private
 * key.
 */
import { createHash } from 'node:crypto'
import { FORM, hmac, secretsOf, type Signer } from '../signers/signer.fixture.ts'

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<notification>
  <kind>subscription_went_past_due</kind>
  <timestamp type="datetime">2023-11-14T22:13:20Z</timestamp>
  <subject><subscription><id>my_id</id><transactions type="array"/><add_ons type="array"/><discounts type="array"/></subscription></subject>
</notification>
`

const payload = `${(
  Buffer.from(xml)
    .toString('base64')
    .match(/.{1,60}/g) ?? []
).join('\n')}\n`

export const signers: readonly Signer[] = [
  {
    source: 'braintree',
    secrets: secretsOf('braintree', 'utf8'),
    config: (secret) => ({ public_key: 'integration_public_key', private_key: secret }),
    body: payload,
    sign({ body, secret, touch }) {
      const signature = `others_key|00&integration_public_key|${touch(signatureOf(body, secret))}`
      const form = new URLSearchParams({ bt_signature: signature, bt_payload: body })
      return { headers: { 'Content-Type': FORM }, body: form.toString() }
    },
    covers: { body: 'PD94bWwg' },
    carriedIn: [],
    eventType: 'subscription_went_past_due',
    deliveryId: null,
    pinned: { public_key: 'integration_public_key' },
    handshakes: [
      {
        of: 'the destination',
        request: {
          method: 'GET',
          url: '?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53',
          headers: {},
          body: '',
        },
        config: { public_key: 'integration_public_key', private_key: 'integration_private_key' },
        answer: {
          status: 200,
          body: 'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
        },
      },
    ],
  },
]

function signatureOf(text: string, privateKey: string): string {
  const key = createHash('sha1').update(privateKey).digest()
  return hmac(key, text, ['sha1', 'hex'])
}
