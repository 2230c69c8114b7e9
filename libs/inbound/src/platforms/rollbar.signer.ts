/** An independent signer of Rollbar, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'rollbar',
    body: { event_name: 'new_item', data: { item: { id: 1 } } },
    type: 'new_item',
  }),
  urlToken({
    source: 'rollbar',
    variant: 'of an occurrence',
    body: { event_name: 'occurrence', data: { occurrence: { uuid: '8a5c' } } },
    type: 'occurrence',
  }),
]
