/** An independent signer of Segment, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const segmentEvent = {
  type: 'track',
  event: 'Order Completed',
  messageId: 'ajs-next-1',
  userId: 'u',
}

export const signers: readonly Signer[] = [
  mac({
    source: 'segment',
    header: 'X-Signature',
    digest: ['sha1', 'hex'],
    body: segmentEvent,
    type: 'Order_Completed',
    id: 'ajs-next-1',
  }),
]
