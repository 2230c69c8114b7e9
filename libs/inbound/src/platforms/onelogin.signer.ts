/** An independent signer of OneLogin, written from its documents. */
import { namedHeader, type Signer } from '../signers/signer.fixture.ts'

const oneLogin = [{ event_type_id: 5, uuid: 'e4bf', notes: '' }]

export const signers: readonly Signer[] = [
  namedHeader({ source: 'onelogin', body: oneLogin, type: '5', id: 'e4bf' }),
]
