/** An independent signer of Stytch, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

const stytch = {
  workspace_id: 'w',
  action: 'CREATE',
  event_id: 'event-1',
  object_type: 'user',
  source: 'DIRECT',
  id: 'user-1',
  timestamp: '2023-11-14T22:13:20Z',
}

export const signers: readonly Signer[] = [
  standard({ source: 'stytch', names: 'svix', body: stytch, type: 'DIRECT.user.CREATE' }),
]
