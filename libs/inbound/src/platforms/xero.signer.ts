/** An independent signer of Xero, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'xero',
    header: 'x-xero-signature',
    digest: ['sha256', 'base64'],
    body: {
      events: [
        {
          resourceId: 'r',
          eventDateUtc: '2023-11-14T22:13:20.000',
          eventType: 'UPDATE',
          eventCategory: 'INVOICE',
        },
      ],
      firstEventSequence: 1,
      lastEventSequence: 1,
      entropy: 'S0m',
    },
    type: 'INVOICE.UPDATE',
    id: '1:1:r',
  }),
]
