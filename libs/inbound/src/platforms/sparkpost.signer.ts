/** An independent signer of SparkPost, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'sparkpost',
    headers: { 'X-MessageSystems-Batch-ID': 'b-1' },
    body: [{ msys: { message_event: { type: 'bounce', event_id: '92356927693813856' } } }],
    type: 'bounce',
    id: 'b-1',
  }),
]
