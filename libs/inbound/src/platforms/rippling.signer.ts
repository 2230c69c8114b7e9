/** An independent signer of Rippling, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'rippling',
    header: 'X-Rippling-Signature',
    body: { event: 'employee.created', data: { id: '1' } },
  }),
]
