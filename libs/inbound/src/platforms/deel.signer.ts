/** An independent signer of Deel, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'deel',
    header: 'x-deel-signature',
    signed: (body) => `POST${body}`,
    body: {
      data: { meta: { event_type: 'contract.created', event_type_id: 'e' }, resource: {} },
      timestamp: '2023-11-14T22:13:20Z',
    },
    type: 'contract.created',
  }),
]
