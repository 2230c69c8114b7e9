/** An independent signer of FireHydrant, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'firehydrant',
    header: 'fh-signature',
    body: {
      data: { incident: { id: 'a' } },
      event: { operation: 'CREATED', resource_type: 'incident' },
    },
    type: 'incident.CREATED',
  }),
]
