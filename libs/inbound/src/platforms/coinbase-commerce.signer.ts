/** An independent signer of Coinbase Commerce, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'coinbase-commerce',
    header: 'X-CC-Webhook-Signature',
    body: {
      id: 1,
      attempt_number: 1,
      event: {
        id: '24934862-d980-46cb-9402-43c81b0cdba6',
        type: 'charge:created',
        data: { code: '66BEOV2A' },
      },
    },
    type: 'charge:created',
    id: '24934862-d980-46cb-9402-43c81b0cdba6',
  }),
]
