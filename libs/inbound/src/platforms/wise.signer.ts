/** An independent signer of Wise, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { pem } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'wise',
    kind: 'rsa',
    hash: 'sha256',
    header: 'X-Signature-SHA256',
    shown: pem,
    headers: { 'X-Delivery-Id': '2a5b' },
    body: {
      data: { resource: { id: 111 } },
      subscription_id: 's',
      event_type: 'transfers#state-change',
      schema_version: '2.0.0',
      sent_at: '2023-11-14T22:13:20Z',
    },
    type: 'transfers_state-change',
    id: '2a5b',
  }),
]
