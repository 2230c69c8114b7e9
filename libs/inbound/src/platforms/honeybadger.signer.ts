/** An independent signer of Honeybadger, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'honeybadger',
    header: 'Honeybadger-Token',
    body: { event: 'occurred', message: 'm', fault: { id: 3 } },
    type: 'occurred',
  }),
  token({
    source: 'honeybadger',
    variant: 'by authorization',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: { event: 'occurred', fault: { id: 3 } },
    type: 'occurred',
  }),
]
