/** An independent signer of Miro, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'miro',
    body: {
      appId: '1',
      webhookId: '2',
      event: { boardId: 'b', item: { id: '3' }, type: 'create' },
    },
    type: 'create',
    handshakes: [
      {
        of: 'the URL',
        request: { headers: {}, body: '{"challenge":"ZpY4"}' },
        answer: {
          status: 200,
          body: '{"challenge":"ZpY4"}',
          headers: { 'content-type': 'application/json' },
        },
      },
    ],
  }),
]
