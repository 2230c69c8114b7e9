/** An independent signer of Fivetran, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'fivetran',
    header: 'X-Fivetran-Signature-256',
    show: (s) => s.toUpperCase(),
    body: {
      event: 'sync_end',
      created: '2023-11-14T22:13:20Z',
      connector_id: 'c',
      sync_id: '8b2e',
      data: {},
    },
    type: 'sync_end',
  }),
]
