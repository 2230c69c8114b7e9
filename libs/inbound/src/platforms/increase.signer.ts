/** An independent signer of Increase, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'increase',
    key: 'utf8',
    body: {
      id: 'event_1',
      created_at: '2023-11-14T22:13:20Z',
      category: 'account.created',
      associated_object_type: 'account',
      associated_object_id: 'account_1',
      type: 'event',
    },
    type: 'account.created',
  }),
]
