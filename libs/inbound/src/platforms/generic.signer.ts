/** An independent signer of Generic, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  /** The generic mode of this service, by the names that its API has for it. */
  mac({
    source: 'generic',
    header: 'X-Acme-Signature',
    config: { header_name: 'X-Acme-Signature' },
    body: { type: 'order.created', id: '1' },
  }),
  mac({
    source: 'generic',
    variant: 'after a prefix',
    header: 'X-Acme-Signature',
    show: (s) => `sha256=${s}`,
    config: { header_name: 'X-Acme-Signature', prefix: 'sha256=' },
    body: { type: 'order.created', id: '1' },
  }),
]
