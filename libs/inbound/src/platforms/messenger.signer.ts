/** An independent signer of Messenger, written from its documents. */
import { META_QUESTIONS } from '../signers/meta.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'messenger',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'page',
      entry: [
        {
          id: '0',
          time: 1700000000,
          messaging: [{ message: { mid: 'mid.1457764197618:41d102a3e1ae206a38' } }],
        },
      ],
    },
    id: 'mid.1457764197618:41d102a3e1ae206a38',
    handshakes: META_QUESTIONS,
    type: 'message',
  }),
]
