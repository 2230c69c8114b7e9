/** An independent signer of Column, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'column',
    header: 'Column-Signature',
    headers: { 'Webhook-Endpoint-Id': 'whep_1' },
    body: {
      id: 'evnt_2',
      created_at: '2023-11-14T22:13:20Z',
      type: 'ach.incoming_transfer.settled',
      data: {},
    },
    type: 'ach.incoming_transfer.settled',
    id: 'evnt_2',
  }),
]
