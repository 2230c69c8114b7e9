/** An independent signer of Cal.com, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'cal-com',
    header: 'X-Cal-Signature-256',
    body: {
      triggerEvent: 'BOOKING_CREATED',
      createdAt: '2023-11-14T22:13:20.000Z',
      payload: { uid: 'bFJeNb2uX8ANpT3JL5EfXw' },
    },
    type: 'BOOKING_CREATED',
  }),
]
