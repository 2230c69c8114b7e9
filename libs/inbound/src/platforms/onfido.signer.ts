/** An independent signer of Onfido (Entrust), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'onfido',
    header: 'X-SHA2-Signature',
    body: {
      payload: {
        resource_type: 'check',
        action: 'check.completed',
        object: { id: '1', status: 'complete' },
      },
    },
    type: 'check.completed',
  }),
]
