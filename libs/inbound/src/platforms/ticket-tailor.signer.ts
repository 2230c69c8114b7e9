/** An independent signer of Ticket Tailor, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'ticket-tailor',
    header: 'Tickettailor-Webhook-Signature',
    signed: (body, at) => `${at}${body}`,
    show: (sig, at) => `t=${at},v1=${sig}`,
    time: { unit: 's', tolerance: 300 },
    body: { id: 'wh_1072', created_at: '2023-11-14 22:13:20', event: 'ORDER.CREATED', payload: {} },
    type: 'ORDER.CREATED',
    id: 'wh_1072',
  }),
]
