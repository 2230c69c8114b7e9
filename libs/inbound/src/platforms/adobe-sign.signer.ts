/** An independent signer of Adobe Acrobat Sign, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'adobe-sign',
    header: 'X-AdobeSign-ClientId',
    secretIn: 'client_id',
    body: {
      webhookId: 'w1',
      webhookName: 'all',
      webhookNotificationId: 'b4f2f7de-9c1b-4f0a-a9c8-1a1b2c3d4e5f',
      event: 'AGREEMENT_CREATED',
      agreement: { id: 'CBJCHBCAABAA' },
    },
    type: 'AGREEMENT_CREATED',
    id: 'b4f2f7de-9c1b-4f0a-a9c8-1a1b2c3d4e5f',
    handshakes: [
      {
        of: 'the intent',
        request: { method: 'GET', headers: { 'X-AdobeSign-ClientId': 'UB7E5BXCXY' }, body: '' },
        config: { client_id: 'UB7E5BXCXY' },
        answer: { status: 200, headers: { 'X-AdobeSign-ClientId': 'UB7E5BXCXY' } },
      },
    ],
  }),
]
