/** An independent signer of Anthropic (Claude Managed Agents), written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'anthropic',
    body: {
      type: 'event',
      id: 'whe_01',
      created_at: '2023-11-14T22:13:20Z',
      data: { type: 'session.completed', id: 'session_1' },
    },
    type: 'session.completed',
    id: 'whe_01',
  }),
]
