/** An independent signer of Cashfree, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'cashfree',
    header: 'x-webhook-signature',
    digest: ['sha256', 'base64'],
    headers: { 'x-idempotency-key': 'vE3dd8Yw' },
    signed: (body, t) => `${t}${body}`,
    time: { unit: 'ms', header: 'x-webhook-timestamp', tolerance: 300 },
    body: {
      data: { order: { order_id: 'O1', order_amount: 2.0 } },
      event_time: '2023-11-14T22:13:20+05:30',
      type: 'PAYMENT_SUCCESS_WEBHOOK',
    },
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    id: 'vE3dd8Yw',
  }),
]
