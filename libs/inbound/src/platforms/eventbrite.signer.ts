/** An independent signer of Eventbrite, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

const order = {
  config: {
    action: 'order.placed',
    endpoint_url: 'https://hooks.example.com',
    user_id: '1',
    webhook_id: '2',
  },
  api_url: 'https://www.eventbriteapi.com/v3/orders/1/',
}

export const signers: readonly Signer[] = [
  urlToken({
    source: 'eventbrite',
    headers: { 'X-Eventbrite-Event': 'order.placed', 'X-Eventbrite-Delivery': '13574' },
    body: order,
    type: 'order.placed',
    id: '13574',
  }),
]
