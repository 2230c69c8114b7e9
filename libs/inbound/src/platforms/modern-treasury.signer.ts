/** An independent signer of Modern Treasury, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'modern-treasury',
    header: 'X-Signature',
    headers: { 'X-Topic': 'payment_order', 'X-Webhook-ID': '4f8a' },
    body: { event: 'completed', data: { id: 'f1' } },
    type: 'payment_order.completed',
    id: '4f8a',
  }),
]
