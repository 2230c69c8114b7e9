/** An independent signer of Zoho Payments, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'zoho-payments',
    header: 'X-Zoho-Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v=${s}`,
    time: { unit: 'ms', tolerance: 300 },
    body: { event_id: '5', event_type: 'payment.succeeded', event_object: {} },
    type: 'payment.succeeded',
    id: '5',
  }),
  mac({
    source: 'zoho-payments',
    variant: 'by the other spelling',
    header: 'X-ZohoWebhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v=${s}`,
    time: { unit: 'ms', tolerance: 300 },
    body: { event_id: '5', event_type: 'payment.succeeded' },
    type: 'payment.succeeded',
    id: '5',
  }),
]
