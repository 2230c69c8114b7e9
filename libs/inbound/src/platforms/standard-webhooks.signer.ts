/** An independent signer of Standard Webhooks, written from its documents. */
import { CONTACT_CREATED, withSignatureHeader, OTHER_BASE64 } from '../signers/rotation.fixture.ts'
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'standard-webhooks',
    body: { type: 'contact.created', timestamp: '2023-11-14T22:13:20Z', data: { id: '1' } },
    type: 'contact.created',
  }),
  withSignatureHeader(
    standard({ source: 'standard-webhooks', body: CONTACT_CREATED, type: CONTACT_CREATED.type }),
    'webhook-signature',
    (own) => `v1a,${OTHER_BASE64} v1,${OTHER_BASE64} ${own}`,
  ),
]
