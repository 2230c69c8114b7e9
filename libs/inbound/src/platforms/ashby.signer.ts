/** An independent signer of Ashby, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'ashby',
    header: 'Ashby-Signature',
    show: (s) => `sha256=${s}`,
    body: { action: 'candidateHire', data: { application: { id: 'a1' } } },
    type: 'candidateHire',
  }),
]
