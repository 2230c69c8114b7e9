/** An independent signer of BitGo, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'bitgo',
    header: 'x-signature-sha256',
    body: {
      type: 'transfer',
      wallet: '585951a5df8380e0e3063e9f',
      coin: 'tbtc',
      transfer: '59f3c1',
      hash: 'a57d8e',
      state: 'confirmed',
    },
    type: 'transfer',
    id: 'transfer:59f3c1:a57d8e:confirmed',
  }),
]
