/** An independent signer of Facebook, written from its documents. */
import { META_QUESTIONS } from '../signers/meta.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'facebook',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'page',
      entry: [{ id: '0', time: 1700000000, changes: [{ field: 'feed', value: {} }] }],
    },
    type: 'page.feed',
    handshakes: META_QUESTIONS,
  }),
]
