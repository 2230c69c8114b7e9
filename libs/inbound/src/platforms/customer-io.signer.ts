/** An independent signer of Customer.io, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'customer-io',
    header: 'X-CIO-Signature',
    signed: (body, t) => `v0:${t}:${body}`,
    time: { unit: 's', header: 'X-CIO-Timestamp', tolerance: 300 },
    body: {
      event_id: '01E4C4CT6YDC7Y5M7FE1GWWPQJ',
      object_type: 'email',
      metric: 'delivered',
      timestamp: 1700000000,
      data: {},
    },
    type: 'email.delivered',
    id: '01E4C4CT6YDC7Y5M7FE1GWWPQJ',
  }),
]
