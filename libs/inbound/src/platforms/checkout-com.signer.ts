/** An independent signer of Checkout.com, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const checkout = {
  id: 'evt_az5sblvku4ge3dwpztvyizgcau',
  type: 'payment_approved',
  version: '1.0.0',
  created_on: '2023-11-14T22:13:20Z',
  data: { id: 'pay_1' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'checkout-com',
    header: 'Cko-Signature',
    body: checkout,
    type: checkout.type,
    id: checkout.id,
  }),
  mac({
    source: 'checkout-com',
    variant: 'with a key',
    header: 'Cko-Signature',
    config: { authorization_key: 'our-own-key' },
    headers: { Authorization: 'our-own-key' },
    pinned: { authorization_key: 'our-own-key' },
    body: checkout,
    type: checkout.type,
    id: checkout.id,
  }),
]
