/** An independent signer of Ghost, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'ghost',
    header: 'X-Ghost-Signature',
    signed: (body, t) => `${body}${t}`,
    show: (s, t) => `sha256=${s}, t=${t}`,
    time: { unit: 'ms', tolerance: null },
    body: { event: 'post.published', post: { current: { id: '6' } } },
    type: 'post.published',
  }),
]
