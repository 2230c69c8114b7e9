/** An independent signer of Treasury Prime, written from its documents. */
import { basic, NEVER, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'treasury-prime',
    body: {
      event: 'ach.update',
      op: 'update',
      id: 'ach_1',
      url: 'https://api.treasuryprime.com/ach/ach_1',
    },
    type: 'ach.update',
    id: NEVER,
  }),
]
