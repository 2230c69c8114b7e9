/** An independent signer of WooCommerce, written from its documents. */
import { FORM, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'woocommerce',
    header: 'X-WC-Webhook-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Delivery-ID': '8d5e' },
    body: { id: 727 },
    type: 'order.created',
    id: '8d5e',
    handshakes: [
      {
        of: 'a ping',
        request: { headers: { 'Content-Type': FORM }, body: 'webhook_id=5' },
        answer: { status: 200 },
      },
    ],
  }),
]
