/** An independent signer of Dwolla, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'dwolla',
    header: 'X-Request-Signature-SHA-256',
    body: {
      id: '80d8ff7d-7e5a-4975-ade8-9e97306d6c15',
      resourceId: '6',
      topic: 'transfer_created',
      timestamp: '2023-11-14T22:13:20Z',
    },
    type: 'transfer_created',
    id: '80d8ff7d-7e5a-4975-ade8-9e97306d6c15',
  }),
]
