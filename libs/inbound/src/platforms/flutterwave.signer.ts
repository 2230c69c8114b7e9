/** An independent signer of Flutterwave (v3), written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'flutterwave',
    header: 'verif-hash',
    body: { event: 'charge.completed', data: { id: 285959875, status: 'successful' } },
    type: 'charge.completed',
    id: 'charge.completed:285959875:successful',
  }),
]
