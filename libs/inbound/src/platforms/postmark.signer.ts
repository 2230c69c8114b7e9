/** An independent signer of Postmark, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'postmark',
    body: {
      RecordType: 'Delivery',
      MessageID: '883953f4',
      ServerID: 23,
      DeliveredAt: '2023-11-14T22:13:20Z',
    },
    type: 'Delivery',
  }),
]
