/** An independent signer of Tatum, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'tatum',
    header: 'x-payload-hash',
    digest: ['sha512', 'base64'],
    body: { address: '0x1', txId: '0x2', subscriptionType: 'ADDRESS_EVENT', amount: '1' },
    type: 'ADDRESS_EVENT',
    id: '0x2:0x1',
  }),
]
