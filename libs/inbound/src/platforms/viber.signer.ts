/** An independent signer of Viber, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'viber',
    header: 'X-Viber-Content-Signature',
    body: {
      event: 'message',
      timestamp: 1700000000000,
      message_token: 4912661846655238000,
      sender: {},
    },
    type: 'message',
    id: 'message:4912661846655238000:1700000000000',
  }),
]
