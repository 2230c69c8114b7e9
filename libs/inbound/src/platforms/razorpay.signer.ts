/** An independent signer of Razorpay, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'razorpay',
    header: 'X-Razorpay-Signature',
    headers: { 'x-razorpay-event-id': 'J8' },
    body: { entity: 'event', event: 'payment.authorized', contains: ['payment'], payload: {} },
    type: 'payment.authorized',
    id: 'J8',
  }),
]
