/** An independent signer of Paystack, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const paystack = { event: 'charge.success', data: { id: 302961, reference: 'q' } }

export const signers: readonly Signer[] = [
  mac({
    source: 'paystack',
    header: 'x-paystack-signature',
    digest: ['sha512', 'hex'],
    body: paystack,
    type: paystack.event,
    id: 'charge.success:302961',
  }),
]
