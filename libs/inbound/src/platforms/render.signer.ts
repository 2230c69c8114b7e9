/** An independent signer of Render, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'render',
    body: { type: 'deploy_ended', timestamp: '2023-11-14T22:13:20Z', data: { id: 'evj-1' } },
    type: 'deploy_ended',
  }),
]
