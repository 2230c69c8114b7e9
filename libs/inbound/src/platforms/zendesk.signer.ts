/** An independent signer of Zendesk, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'zendesk',
    header: 'X-Zendesk-Webhook-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-Zendesk-Webhook-Invocation-Id': '01G' },
    signed: (body, t) => `${t}${body}`,
    time: { unit: 'iso', header: 'X-Zendesk-Webhook-Signature-Timestamp', tolerance: 300 },
    body: { id: 'z1', type: 'zen:event-type:user.created', subject: 's', event: {} },
    type: 'zen:event-type:user.created',
    id: '01G',
  }),
]
