/** An independent signer of Etsy, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'etsy',
    body: { event_type: 'order.paid', resource_url: 'https://api.etsy.com/v3/1', shop_id: '5' },
    type: 'order.paid',
  }),
  standard({
    source: 'etsy',
    variant: 'by the other names',
    names: 'svix',
    body: { event_type: 'order.paid', shop_id: '5' },
    type: 'order.paid',
  }),
]
