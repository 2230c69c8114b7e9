/** An independent signer of Adyen (standard webhooks), written from its documents. */
import { JSON_TYPE } from '../signers/bodies.fixture.ts'
import { hmac, secretsOf, type Signer, withTextAt } from '../signers/signer.fixture.ts'

const item = {
  pspReference: '7914073381342284',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  success: 'true',
  paymentMethod: 'visa',
}

export const signers: readonly Signer[] = [
  {
    source: 'adyen',
    secrets: secretsOf('adyen', 'hex'),
    config: (secret) => ({ secret }),
    body: JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }),
    sign({ body, secret, touch }) {
      const text =
        '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true'
      const signature = touch(hmac(Buffer.from(secret, 'hex'), text, ['sha256', 'base64']))
      const at = ['notificationItems', '0', 'NotificationRequestItem', 'additionalData']
      return {
        headers: JSON_TYPE,
        body: JSON.stringify(withTextAt(JSON.parse(body), at, { hmacSignature: signature })),
      }
    },
    covers: { body: 'EUR' },
    carriedIn: [],
    eventType: 'AUTHORISATION',
    deliveryId: '7914073381342284:AUTHORISATION:true',
  },
]
