/** An independent signer of Notion, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const notion = {
  id: '367cba44-b6f3-4c92-81e7-6a2e9659efd4',
  timestamp: '2023-11-14T22:13:20.000Z',
  type: 'page.created',
  attempt_number: 1,
}

export const signers: readonly Signer[] = [
  mac({
    source: 'notion',
    header: 'X-Notion-Signature',
    show: (s) => `sha256=${s}`,
    body: notion,
    type: notion.type,
    id: notion.id,
    handshakes: [
      {
        of: 'the token',
        request: {
          headers: {},
          body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}',
        },
        config: {},
        answer: {
          status: 200,
          learned: { secret: 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl' },
        },
      },
    ],
  }),
]
