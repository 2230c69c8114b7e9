/** An independent signer of LINE, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'line',
    header: 'X-Line-Signature',
    digest: ['sha256', 'base64'],
    body: {
      destination: 'U1',
      events: [
        {
          type: 'message',
          webhookEventId: '01FZ74A0TDDPYRVKNK77XKC3ZR',
          timestamp: 1700000000000,
          source: { type: 'user', userId: 'U2' },
        },
      ],
    },
    type: 'message',
    id: '01FZ74A0TDDPYRVKNK77XKC3ZR',
  }),
]
