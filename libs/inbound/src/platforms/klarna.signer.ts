/** An independent signer of Klarna, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'klarna',
    header: 'Klarna-Signature',
    headers: { 'Klarna-Signing-Key-Id': 'key-1' },
    body: {
      metadata: { event_type: 'payment.request.state-change.completed', event_id: 'd9f9b1a0' },
      payload: {},
    },
    type: 'payment.request.state-change.completed',
    id: 'd9f9b1a0',
  }),
]
