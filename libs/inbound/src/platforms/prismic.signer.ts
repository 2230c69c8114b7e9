/** An independent signer of Prismic, written from its documents. */
import { bodyToken, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  bodyToken({
    source: 'prismic',
    at: ['secret'],
    body: { type: 'api-update', secret: '', domain: 'd', apiUrl: 'https://d.prismic.io/api' },
    type: 'api-update',
  }),
]
