/** An independent signer of Resend, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'resend',
    names: 'svix',
    body: {
      type: 'email.sent',
      created_at: '2023-11-14T22:13:20.000Z',
      data: { email_id: '56761188' },
    },
    type: 'email.sent',
  }),
]
