/** An independent signer of Copper, written from its documents. */
import { bodyToken, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  bodyToken({
    source: 'copper',
    at: ['key'],
    config: { secret_key_name: 'key' },
    body: {
      subscription_id: 5,
      event: 'update',
      type: 'lead',
      ids: [3],
      timestamp: '2023-11-14T22:13:20.000Z',
    },
    type: 'update',
  }),
]
