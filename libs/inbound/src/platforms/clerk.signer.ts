/** An independent signer of Clerk, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

const user = {
  data: { id: 'user_29w83sxmDNGwOuEthce5gg56FcC', object: 'user' },
  object: 'event',
  type: 'user.created',
}

export const signers: readonly Signer[] = [
  standard({ source: 'clerk', names: 'svix', body: user, type: 'user.created' }),
  standard({ source: 'clerk', variant: 'by the other names', body: user, type: 'user.created' }),
]
