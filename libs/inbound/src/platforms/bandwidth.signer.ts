/** An independent signer of Bandwidth, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'bandwidth',
    body: [
      {
        type: 'message-received',
        time: '2023-11-14T22:13:20Z',
        description: 'Incoming message received',
        to: '+12345678902',
        message: { id: '14762070468292kw2fuqty55yp2b2' },
      },
    ],
    type: 'message-received',
    id: 'message-received:14762070468292kw2fuqty55yp2b2:+12345678902',
  }),
  basic({
    source: 'bandwidth',
    variant: 'of voice',
    body: { eventType: 'answer', eventTime: '2023-11-14T22:13:20Z', callId: 'c-95ac8d6e' },
    type: 'answer',
    id: 'answer:c-95ac8d6e:2023-11-14T22:13:20Z',
  }),
]
