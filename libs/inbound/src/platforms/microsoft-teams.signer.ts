/** An independent signer of Microsoft Teams (Outgoing Webhook), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'microsoft-teams',
    header: 'Authorization',
    key: 'base64',
    digest: ['sha256', 'base64'],
    show: (s) => `HMAC ${s}`,
    body: {
      type: 'message',
      id: '1485983408511',
      timestamp: '2023-11-14T22:13:20.000Z',
      text: 'hi',
    },
    type: 'message',
    id: '1485983408511',
  }),
]
