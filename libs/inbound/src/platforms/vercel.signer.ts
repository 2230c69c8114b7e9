/** An independent signer of Vercel, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'vercel',
    header: 'x-vercel-signature',
    digest: ['sha1', 'hex'],
    body: { id: 'uev_1', type: 'deployment.created', createdAt: 1700000000000, payload: {} },
    type: 'deployment.created',
    id: 'uev_1',
  }),
]
