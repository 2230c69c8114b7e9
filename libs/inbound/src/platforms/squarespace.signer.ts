/** An independent signer of Squarespace, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'squarespace',
    header: 'Squarespace-Signature',
    key: 'hex',
    body: {
      id: 'd4a6',
      websiteId: 'w',
      subscriptionId: 's',
      topic: 'order.create',
      createdOn: '2023-11-14T22:13:20.000Z',
      data: {},
    },
    type: 'order.create',
    id: 'd4a6',
  }),
]
