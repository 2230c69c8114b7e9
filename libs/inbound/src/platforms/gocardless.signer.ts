/** An independent signer of GoCardless, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'gocardless',
    header: 'Webhook-Signature',
    body: {
      events: [
        {
          id: 'EV123',
          created_at: '2023-11-14T22:13:20.000Z',
          action: 'confirmed',
          resource_type: 'payments',
          links: { payment: 'PM123' },
        },
      ],
      meta: { webhook_id: 'WB123' },
    },
    type: 'confirmed',
    id: 'WB123',
  }),
]
