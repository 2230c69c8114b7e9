/** An independent signer of Better Stack, written from its documents. */
import { basic, namedHeader, type Signer } from '../signers/signer.fixture.ts'

const outage = {
  data: {
    id: '25',
    type: 'incident',
    attributes: { name: 'example.com', url: 'https://example.com' },
  },
}

export const signers: readonly Signer[] = [
  namedHeader({ source: 'betterstack', body: outage }),
  basic({ source: 'betterstack', variant: 'by password', body: outage }),
]
