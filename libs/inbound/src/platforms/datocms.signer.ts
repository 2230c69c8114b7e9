/** An independent signer of DatoCMS, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'datocms',
    body: {
      webhook_id: '1',
      webhook_call_id: '99',
      site_id: '2',
      environment: 'main',
      event_type: 'publish',
      entity_type: 'item',
      entity: {},
    },
    type: 'publish',
    id: '99',
  }),
]
