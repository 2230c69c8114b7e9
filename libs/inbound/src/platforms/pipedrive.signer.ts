/** An independent signer of Pipedrive, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'pipedrive',
    body: {
      meta: { action: 'change', entity: 'deal', entity_id: '5', id: '4f8a', version: '2.0' },
      data: {},
    },
    type: 'change.deal',
    id: '5:4f8a',
  }),
  basic({
    source: 'pipedrive',
    variant: 'version 1',
    body: { event: 'updated.deal', meta: { action: 'updated', object: 'deal', id: 5 } },
    type: 'updated.deal',
  }),
]
