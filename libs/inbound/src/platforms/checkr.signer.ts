/** An independent signer of Checkr, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'checkr',
    header: 'X-Checkr-Signature',
    body: {
      id: '507f1f77bcf86cd799439011',
      object: 'event',
      type: 'report.completed',
      created_at: '2023-11-14T22:13:20Z',
      data: { object: { id: '4722c07dd9a10c3985ae432a' } },
    },
    type: 'report.completed',
    id: '507f1f77bcf86cd799439011',
  }),
]
