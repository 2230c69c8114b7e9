/** An independent signer of Replicate, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'replicate',
    body: { id: 'ufawqhfynnddngldkgtslldrkq', status: 'succeeded', output: [] },
    type: 'succeeded',
  }),
]
