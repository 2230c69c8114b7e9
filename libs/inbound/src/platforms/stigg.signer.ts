/** An independent signer of Stigg, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'stigg',
    header: 'Stigg-Webhooks-Secret',
    body: { type: 'customer.created', messageId: 'm-1', entityId: 'e' },
    type: 'customer.created',
    id: 'm-1',
  }),
]
