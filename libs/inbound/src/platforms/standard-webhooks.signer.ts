/** An independent signer of Standard Webhooks, written from its documents. */
import { message, shownAs, ZEROS } from '../signers/rotation.fixture.ts'
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'standard-webhooks',
    body: { type: 'contact.created', timestamp: '2023-11-14T22:13:20Z', data: { id: '1' } },
    type: 'contact.created',
  }),
  shownAs(
    standard({ source: 'standard-webhooks', body: message, type: message.type }),
    'webhook-signature',
    (own) => `v1a,${ZEROS} v1,${ZEROS} ${own}`,
  ),
]
