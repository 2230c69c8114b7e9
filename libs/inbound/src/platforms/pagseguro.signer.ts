/** An independent signer of PagBank (PagSeguro), written from its documents. */
import { digest, hashed } from '../signers/hashed.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  hashed({
    source: 'pagseguro',
    header: 'x-authenticity-token',
    headers: { 'x-product-id': 'ORDE_F87334AC' },
    hash: digest('sha256'),
    text: (body, secret) => `${secret}-${body}`,
    body: {
      id: 'ORDE_F87334AC',
      reference_id: 'ex-1',
      charges: [{ id: 'CHAR_1', status: 'PAID' }],
    },
    type: 'PAID',
  }),
]
