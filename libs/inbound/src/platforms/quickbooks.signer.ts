/** An independent signer of QuickBooks Online (Intuit), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'quickbooks',
    header: 'intuit-signature',
    digest: ['sha256', 'base64'],
    body: [
      {
        specversion: '1.0',
        id: '88cd52aa',
        source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
        type: 'qbo.invoice.created.v1',
        time: '2023-11-14T22:13:20Z',
      },
    ],
    type: 'qbo.invoice.created.v1',
    id: '88cd52aa',
  }),
  mac({
    source: 'quickbooks',
    variant: 'of old',
    header: 'intuit-signature',
    digest: ['sha256', 'base64'],
    body: {
      eventNotifications: [
        {
          realmId: '1',
          dataChangeEvent: {
            entities: [
              {
                name: 'Customer',
                id: '1',
                operation: 'Create',
                lastUpdated: '2023-11-14T22:13:20Z',
              },
            ],
          },
        },
      ],
    },
    type: 'Customer.Create',
  }),
]
