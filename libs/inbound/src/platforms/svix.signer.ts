/** An independent signer of Svix, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'svix',
    names: 'svix',
    body: { type: 'invoice.paid', id: '1' },
    type: 'invoice.paid',
  }),
  standard({
    source: 'svix',
    variant: 'by the other names',
    body: { type: 'invoice.paid', id: '1' },
    type: 'invoice.paid',
  }),
]
