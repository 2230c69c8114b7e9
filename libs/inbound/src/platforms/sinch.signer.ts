/** An independent signer of Sinch (Conversation), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'sinch',
    header: 'x-sinch-webhook-signature',
    digest: ['sha256', 'base64'],
    headers: {
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
    },
    signed: (body, t) => `${body}.01FJA8B4A7BM43YGWSG9GBV067.${t}`,
    time: { unit: 's', header: 'x-sinch-webhook-signature-timestamp', tolerance: 300 },
    body: { app_id: '01', message_delivery_report: { status: 'DELIVERED' } },
    type: 'message_delivery_report',
  }),
]
