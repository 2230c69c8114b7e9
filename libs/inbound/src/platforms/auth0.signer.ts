/** An independent signer of Auth0, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'auth0',
    header: 'Authorization',
    body: [{ log_id: '90020231114221320', data: { type: 's', client_id: 'c' } }],
    type: 's',
    id: '90020231114221320',
  }),
]
