/** An independent signer of ShipBob, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'shipbob',
    headers: { 'x-webhook-topic': 'order.shipped' },
    body: { id: 1, reference_id: 'r' },
    type: 'order.shipped',
  }),
]
