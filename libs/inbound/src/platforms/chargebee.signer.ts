/** An independent signer of Chargebee, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'chargebee',
    body: {
      id: 'ev_16BHbhF4s42tO2lK',
      occurred_at: 1700000000,
      source: 'admin_console',
      event_type: 'subscription_created',
      content: {},
    },
    type: 'subscription_created',
    id: 'ev_16BHbhF4s42tO2lK',
  }),
]
