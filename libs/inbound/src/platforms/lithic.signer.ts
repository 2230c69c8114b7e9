/** An independent signer of Lithic, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'lithic',
    body: { event_type: 'card.created', card_token: '7ef7d65c' },
    type: 'card.created',
  }),
]
