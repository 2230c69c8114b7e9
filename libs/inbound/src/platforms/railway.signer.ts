/** An independent signer of Railway, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'railway',
    body: { type: 'Deployment.failed', timestamp: '2023-11-14T22:13:20Z', resource: {} },
    type: 'Deployment.failed',
  }),
]
