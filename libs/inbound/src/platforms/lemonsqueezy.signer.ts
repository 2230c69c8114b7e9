/** An independent signer of Lemon Squeezy, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'lemonsqueezy',
    header: 'X-Signature',
    headers: { 'X-Event-Name': 'order_created' },
    body: {
      meta: { event_name: 'order_created', webhook_id: 'w' },
      data: { type: 'orders', id: '1', attributes: { updated_at: '2023-11-14T22:13:20.000000Z' } },
    },
    type: 'order_created',
    id: 'order_created:orders:1:2023-11-14T22:13:20.000000Z',
  }),
]
