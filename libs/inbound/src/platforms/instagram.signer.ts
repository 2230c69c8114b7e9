/** An independent signer of Instagram, written from its documents. */
import { META_QUESTIONS } from '../signers/meta.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'instagram',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'instagram',
      entry: [{ id: '0', time: 1700000000, changes: [{ field: 'comments', value: {} }] }],
    },
    type: 'instagram.comments',
    handshakes: META_QUESTIONS,
  }),
  mac({
    source: 'instagram',
    variant: 'of a message',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: {
      object: 'instagram',
      entry: [
        {
          id: '0',
          time: 1700000000,
          messaging: [{ timestamp: 1700000000123, message: { mid: 'aWdGGiblWZ', text: 'hi' } }],
        },
      ],
    },
    type: 'instagram',
    id: 'aWdGGiblWZ:1700000000123',
  }),
]
