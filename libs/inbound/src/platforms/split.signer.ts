/** An independent signer of Split / Harness FME, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'split',
    body: { name: 'split1', type: 'split', changeNumber: 1700000000000, time: 1700000000000 },
    type: 'split',
    id: 'split1:1700000000000',
  }),
]
